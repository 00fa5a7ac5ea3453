import { refusal } from '../../base/refusal.ts'

/** Who writes to an upload. */
export interface Holder {
  /** Ends its connection: what arrived is written, then it lets go. */
  cut: () => void
  /** How long nothing has arrived, in milliseconds. */
  quietMs: () => number
}

/** A writer that is silent for so long gives way to a new one: its connection is most likely gone without a word. */
const QUIET_MS = 5_000

/** Who holds which upload. One request at a time may touch it. */
export class UploadLocks {
  readonly #held = new Map<string, { holder: Holder; released: Promise<void>; release: () => void }>()

  /** Answers how to let go. Throws Refusal 423 `files.busy` while another request writes. */
  async take(id: string, holder: Holder): Promise<() => void> {
    const other = this.#held.get(id)
    if (other) {
      if (other.holder.quietMs() < QUIET_MS) throw busy()
      other.holder.cut()
      await other.released
      // Another one was faster.
      if (this.#held.has(id)) throw busy()
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#held.set(id, { holder, released: promise, release: resolve })
    return () => {
      this.#held.delete(id)
      resolve()
    }
  }

  isHeld(id: string): boolean {
    return this.#held.has(id)
  }

  /** Ends the connection of who writes to it, if anybody does, and waits until that has let go. */
  async cut(id: string): Promise<void> {
    const held = this.#held.get(id)
    held?.holder.cut()
    await held?.released
  }
}

const busy = () => refusal(423, 'files.busy').with({ 'Retry-After': '1' })
