import { bytesIn } from '../../files/safe-fs/walk.ts'

/** A folder is measured again after this many milliseconds at the earliest. */
const FRESH_MS = 60_000
/** Measuring may take at most this share of the time: a folder of a million files is measured less often. */
const SHARE = 1 / 20

/** How many bytes a folder's files hold. Measured behind the back of who asks: the answer is the last figure known. */
export class DiskUsage {
  readonly #folder: string
  #bytes: number | null = null
  #measuring: Promise<void> | null = null
  #nextAt = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Bytes; null until first measured. */
  get bytes(): number | null {
    if (!this.#measuring && performance.now() >= this.#nextAt) {
      this.#measuring = this.#measure().finally(() => {
        this.#measuring = null
      })
    }
    return this.#bytes
  }

  async #measure(): Promise<void> {
    const start = performance.now()
    this.#bytes = await bytesIn(this.#folder)
    const now = performance.now()
    this.#nextAt = now + Math.max(FRESH_MS, (now - start) / SHARE)
  }
}
