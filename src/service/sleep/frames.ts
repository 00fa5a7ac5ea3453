/** What a stranger sent is not the game's protocol. */
export class BadPacket extends Error {
  override name = 'BadPacket'
}

/** A length has three bytes at most. */
const LENGTH_BYTES = 3

/** Cuts a stream into packets: each a length and so many bytes. Holds one packet at most. */
export class FrameReader {
  /** Bytes of the largest packet that is taken. */
  most: number
  #held: Buffer = Buffer.alloc(0)

  constructor(most: number) {
    this.most = most
  }

  /** Throws BadPacket. Stops early if `each` returns false. */
  push(piece: Buffer, each: (packet: PacketReader) => boolean): void {
    this.#held = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece])
    for (;;) {
      const length = lengthAt(this.#held)
      if (length === null) return
      if (length.value < 1 || length.value > this.most) throw new BadPacket('a packet of that size')
      const end = length.end + length.value
      if (this.#held.length < end) return
      const packet = this.#held.subarray(length.end, end)
      this.#held = this.#held.subarray(end)
      if (!each(new PacketReader(packet))) return
    }
  }
}

/** Null while incomplete. */
function lengthAt(bytes: Buffer): { value: number; end: number } | null {
  let value = 0
  for (let at = 0; at < LENGTH_BYTES; at++) {
    const byte = bytes[at]
    if (byte === undefined) return null
    value |= (byte & 0x7f) << (7 * at)
    if ((byte & 0x80) === 0) return { value, end: at + 1 }
  }
  throw new BadPacket('a length of too many bytes')
}

/** Every method throws BadPacket beyond the packet's end. */
export class PacketReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  varInt(): number {
    let value = 0
    for (let i = 0; i < 5; i++) {
      const byte = this.take(1)[0]!
      value |= (byte & 0x7f) << (7 * i)
      if ((byte & 0x80) === 0) return value
    }
    throw new BadPacket('a number of too many bytes')
  }

  /** `most`: bytes of UTF-8. */
  text(most: number): string {
    const length = this.varInt()
    if (length < 0 || length > most) throw new BadPacket('a text of that length')
    return this.take(length).toString('utf8')
  }

  port(): number {
    return this.take(2).readUInt16BE()
  }

  take(count: number): Buffer {
    const end = this.#at + count
    if (end > this.#bytes.length) throw new BadPacket('a packet that ends early')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }
}
