import { createCipheriv, createHash, type Cipheriv } from 'node:crypto'

/** Chance that comes out the same for the same seed, so that a failure can be repeated. */
export class Chance {
  readonly #key: Buffer
  #state: number

  /** @param of what the chance is for: the same seed gives each its own, whatever else is run beside it */
  constructor(seed: number, of: string) {
    this.#key = createHash('sha256').update(`${seed} ${of}`).digest()
    this.#state = this.#key.readUInt32LE(16)
  }

  /** 0 ≤ x < 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number, both ends among those possible. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  pick<T>(from: readonly T[]): T {
    const found = from[Math.floor(this.next() * from.length)]
    if (found === undefined) throw new Error('There is nothing to pick from')
    return found
  }

  /** Bytes without a pattern, so that no two pieces of a file are alike: give it zeros. */
  bytes(): Cipheriv {
    const start = Buffer.alloc(16)
    start.writeUInt32LE(this.between(0, 2 ** 32 - 1))
    return createCipheriv('aes-128-ctr', this.#key.subarray(0, 16), start)
  }
}
