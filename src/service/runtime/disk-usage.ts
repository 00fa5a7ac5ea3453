import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'

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
    this.#bytes = await sizeOf(this.#folder)
    const now = performance.now()
    this.#nextAt = now + Math.max(FRESH_MS, (now - start) / SHARE)
  }
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  try {
    for await (const entry of await opendir(folder)) {
      const path = join(folder, entry.name)
      // Links are not followed: what they lead to is counted where it lies, or is none of this server's.
      if (entry.isDirectory()) bytes += await sizeOf(path)
      else if (entry.isFile()) bytes += (await lstat(path).catch(() => null))?.size ?? 0
    }
  } catch {
    // Removed while it was being measured.
  }
  return bytes
}
