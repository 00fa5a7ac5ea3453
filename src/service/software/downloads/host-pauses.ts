import { Cut } from './request-file.ts'

/** A host may ask for so much patience at most, in ms; who wants to be left alone for longer is not waited for. */
export const PATIENCE_MS = 60_000
/** No host is believed to want to be left alone for longer, in ms. */
const PAUSE_MOST = 60 * 60_000
const HOSTS_MOST = 100

/** Waits so many ms, or rejects with the signal's reason. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

/** Which hosts want to be left alone: what one download is told holds for all others from there, too. */
export class HostPauses {
  /** By origin, in ms of a clock that nobody can set. */
  readonly #until = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** A host has asked for this. */
  pause(origin: string, ms: number): void {
    const now = this.#now()
    for (const [one, until] of this.#until)
      if (until <= now || this.#until.size >= HOSTS_MOST) this.#until.delete(one)
    this.#until.set(origin, Math.max(this.#until.get(origin) ?? 0, now + Math.min(ms, PAUSE_MOST)))
  }

  /** For how long nothing may be asked there, in ms. Throws Cut where nobody waits for so long. */
  left({ origin, host }: URL): number {
    const ms = Math.max(0, (this.#until.get(origin) ?? 0) - this.#now())
    if (ms <= PATIENCE_MS) return ms
    const minutes = Math.ceil(ms / 60_000)
    throw new Cut({ part: 'asks-for-minutes', values: { to: host, minutes } }, false)
  }
}
