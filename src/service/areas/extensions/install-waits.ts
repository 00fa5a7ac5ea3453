import { refusalText, type RefusalText } from '../../../contract/messages/refusals/index.ts'
import { SHORT_WAIT } from '../../software/downloads/host-pauses.ts'
import type { TaskSubscriber } from '../../software/downloads/shared-tasks.ts'

/** `until`: monotonic, in milliseconds. */
type Wait = { kind: 'shared' } | { kind: 'host'; host: string; until: number }

export class InstallWaits {
  readonly #waits = new Map<number, Wait>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  of(at: number): Required<Pick<TaskSubscriber, 'onWaiting' | 'onShared'>> {
    return {
      onWaiting: (host, seconds) => {
        if (seconds > SHORT_WAIT)
          this.#waits.set(at, { kind: 'host', host, until: this.#now() + seconds * 1000 })
      },
      onShared: () => void this.#waits.set(at, { kind: 'shared' }),
    }
  }

  ended(at: number): void {
    this.#waits.delete(at)
  }

  get now(): RefusalText | null {
    for (const wait of this.#waits.values()) {
      if (wait.kind === 'shared') return refusalText('extensions.waiting.shared')
      const left = Math.ceil((wait.until - this.#now()) / 1000)
      if (left > 0) return refusalText('extensions.waiting.host', { host: wait.host, count: left })
    }
    return null
  }
}
