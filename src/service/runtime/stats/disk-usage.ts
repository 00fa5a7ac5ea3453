import { bytesIn } from '../../files/safe-fs/walk.ts'

const FRESH_MS = 60_000
/** Share of time spent measuring: huge folders are measured less often. */
const SHARE = 1 / 20

/** Measures in the background and returns the last result. */
export class DiskUsage {
  readonly #folder: string
  #bytes: number | null = null
  #measuring: Promise<void> | null = null
  #nextAt = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Null until first measured. */
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
