/** The tar is none, or damaged. */
export class TarBroken extends Error {
  override name = 'TarBroken'
}

export const BLOCK = 512

/** Bytes behind content that fill up its last block. */
export const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK

const cutOff = () => new TarBroken('It ends in the middle of a file.')

/** Bytes as they come, taken as they are wanted. */
export class TarInput {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)
  /** Bytes of the entry's content that were not read yet. */
  left = 0

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Something, at most so many bytes; null at the end. */
  async some(most: number): Promise<Buffer | null> {
    while (this.#rest.length === 0) {
      const next = await this.#source.next()
      if (next.done) return null
      this.#rest = next.value
    }
    const some = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(some.length)
    return some
  }

  /** So many bytes; null where nothing comes any more. */
  async take(size: number): Promise<Buffer | null> {
    const first = await this.some(size)
    if (first === null || first.length === size) return first
    return Buffer.concat([first, await this.exactly(size - first.length)])
  }

  async exactly(size: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let missing = size; missing > 0;) {
      const some = await this.some(missing)
      if (some === null) throw cutOff()
      missing -= some.length
      parts.push(some)
    }
    return Buffer.concat(parts)
  }

  /** The next bytes of the content that is `left`, as they come. */
  async *content(size = this.left): AsyncGenerator<Buffer> {
    for (let missing = size; missing > 0;) {
      const some = await this.some(missing)
      if (some === null) throw cutOff()
      missing -= some.length
      this.left -= some.length
      yield some
    }
  }

  /** A whole block of the content that is `left`. */
  async contentBlock(): Promise<Buffer> {
    this.left -= BLOCK
    if (this.left < 0) throw cutOff()
    return this.exactly(BLOCK)
  }

  async pass(size: number): Promise<void> {
    for (let missing = size; missing > 0;) {
      const some = await this.some(missing)
      if (some === null) throw cutOff()
      missing -= some.length
    }
  }

  /** Reads what is behind the end: only then are the sums of what packs it compared. False where it is more. */
  async endsWithin(most: number): Promise<boolean> {
    for (let bytes = 0; bytes <= most;) {
      const some = await this.some(Infinity)
      if (some === null) return true
      bytes += some.length
    }
    return false
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }
}
