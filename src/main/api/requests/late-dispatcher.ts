import { setImmediate } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { TransportOptions } from './dispatcher.ts'
import type { Requester } from './transport.ts'

/**
 * A dispatcher whose code is loaded with the first request, once what waits already is done: it is half of all that main has,
 * and what is shown first comes from the disk.
 */
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
      // What never came has nothing to end; whoever asked was told.
      await (await loading?.catch(() => undefined))?.destroy()
    },
  }
}
