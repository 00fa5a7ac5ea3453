import { DownloadInterruption } from './request-file.ts'

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
