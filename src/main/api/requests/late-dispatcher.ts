import { setImmediate } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { TransportOptions } from './dispatcher.ts'
import type { Requester } from './transport.ts'

/** Loads undici with the first request, after pending work: it is half of main's code. */
export function lateDispatcher(options: TransportOptions): Requester & { destroy(): Promise<void> } {
  let loading: Promise<Dispatcher> | undefined
  let isDestroyed = false
  const load = async () => {
    await setImmediate()
    const { makeDispatcher } = await import('./dispatcher.ts')
    return makeDispatcher(options)
  }
  return {
    async request(asked) {
      if (!isDestroyed) {
        const dispatcher = await (loading ??= load())
        if (!isDestroyed) return await dispatcher.request(asked)
      }
      throw Object.assign(new Error('The dispatcher is destroyed.'), { code: 'UND_ERR_DESTROYED' })
    },
    async destroy() {
      isDestroyed = true
      // Nothing to destroy if loading failed; the caller got the error.
      await (await loading?.catch(() => undefined))?.destroy()
    },
  }
}
