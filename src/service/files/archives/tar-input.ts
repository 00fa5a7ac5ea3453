export class TarFormatError extends Error {
  override name = 'TarFormatError'
}

export const BLOCK = 512

export const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK

const cutOff = () => new TarFormatError('It ends in the middle of a file.')

export class TarInput {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)
  left = 0

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** 1 to `most` bytes; null at the end. */
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

  /** Exactly `size` bytes; null at the end. */
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

  async *content(size = this.left): AsyncGenerator<Buffer> {
    for (let missing = size; missing > 0;) {
      const some = await this.some(missing)
      if (some === null) throw cutOff()
      missing -= some.length
      this.left -= some.length
      yield some
    }
  }

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

  /** Drains the input, so gzip verifies its checksum. False if there are more than `most` bytes. */
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
