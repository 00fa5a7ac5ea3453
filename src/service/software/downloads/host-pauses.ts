import { DownloadInterruption } from './request-file.ts'
import type { PauseListener, TaskSubscriber } from './shared-tasks.ts'
import { refusalText } from '../../../contract/messages/refusals/index.ts'
import type { Say } from '../software.ts'

/** Longer pauses are not waited for, in ms. */
const PATIENCE_MS = 60_000
/** Caps requested pauses, in ms. */
const PAUSE_MOST = 60 * 60_000
const HOSTS_MOST = 100

/** Rejects with the signal's reason. */
export type PauseFunction = (ms: number, signal: AbortSignal) => Promise<void>

export class HostPauses {
  readonly #until = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  pause(origin: string, ms: number): void {
    const now = this.#now()
    for (const [one, until] of this.#until)
      if (until <= now || this.#until.size >= HOSTS_MOST) this.#until.delete(one)
    this.#until.set(origin, Math.max(this.#until.get(origin) ?? 0, now + Math.min(ms, PAUSE_MOST)))
  }

  /** Remaining pause in ms. Throws DownloadInterruption if too long to wait. */
  left({ origin, host }: URL): number {
    const ms = Math.max(0, (this.#until.get(origin) ?? 0) - this.#now())
    if (ms <= PATIENCE_MS) return ms
    const minutes = Math.ceil(ms / 60_000)
    throw new DownloadInterruption({ part: 'asks-for-minutes', values: { to: host, minutes } }, false)
  }
}

export const SHORT_WAIT = 5

/** Reports each pause once, though several downloads may wait for it. */
export function sayWaiting(say: Say): PauseListener {
  const toldUntil = new Map<string, number>()
  return (host, seconds) => {
    const now = performance.now() / 1000
    if (seconds <= SHORT_WAIT || (toldUntil.get(host) ?? 0) > now) return
    toldUntil.set(host, now + seconds)
    say(refusalText('console.waiting', { host, seconds }))
  }
}

export const saysOf = (say: Say): Pick<TaskSubscriber, 'onWaiting' | 'onShared'> => ({
  onWaiting: sayWaiting(say),
  onShared: () => say(refusalText('console.shared')),
})
