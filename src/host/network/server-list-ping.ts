import type { Duplex } from 'node:stream'

/** Bytes; usually 20,000 with an icon. */
const ANSWER_MOST = 1024 * 1024

export type PingAnswer =
  | { kind: 'answered'; json: string }
  /** Nothing listens there. */
  | { kind: 'refused' }
  /** Nothing, or something else, came within the limit. */
  | { kind: 'silent' }

/** Asks a game for its status over an open or opening stream, which is ended. `host` and `port`: as the game is told. Never rejects. */
export function askStatus(
  stream: Duplex,
  { host, port, limitMs }: { host: string; port: number; limitMs: number },
): Promise<PingAnswer> {
  return new Promise((resolve) => {
    const reader = new AnswerReader()
    const finish = (answer: PingAnswer) => {
      clearTimeout(limit)
      stream.destroy()
      resolve(answer)
    }
    const limit = setTimeout(() => finish({ kind: 'silent' }), limitMs)
    stream.on('error', ({ code }: NodeJS.ErrnoException) =>
      finish({ kind: code === 'ECONNREFUSED' ? 'refused' : 'silent' }),
    )
    stream.on('close', () => finish({ kind: 'silent' }))
    stream.on('data', (chunk: Buffer) => {
      const json = reader.push(chunk)
      if (json !== undefined) finish(json === null ? { kind: 'silent' } : { kind: 'answered', json })
    })
    stream.write(question(host, port))
  })
}

/** Handshake (protocol −1: unknown; next state 1: status) and empty status request. */
function question(host: string, port: number): Buffer {
  const name = Buffer.from(host)
  const at = Buffer.alloc(2)
  at.writeUInt16BE(port)
  const handshake = Buffer.concat([varInt(0), varInt(-1), varInt(name.length), name, at, varInt(1)])
  return Buffer.concat([varInt(handshake.length), handshake, varInt(1), varInt(0)])
}

/** As the game writes whole numbers: seven bits a byte, the lowest first. */
export function varInt(value: number): Buffer {
  const bytes: number[] = []
  let rest = value >>> 0
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  return Buffer.from([...bytes, rest])
}

/** `end` is exclusive; `more`: incomplete; null: invalid. */
function readVarInt(bytes: Buffer, at: number): { value: number; end: number } | 'more' | null {
  let value = 0
  for (let i = 0; i < 5; i++) {
    const byte = bytes[at + i]
    if (byte === undefined) return 'more'
    value |= (byte & 0x7f) << (7 * i)
    if ((byte & 0x80) === 0) return { value, end: at + i + 1 }
  }
  return null
}

class AnswerReader {
  #pieces: Buffer[] = []
  #bytes = 0
  #whole: number | null = null

  /** The JSON; undefined: incomplete; null: invalid. */
  push(piece: Buffer): string | null | undefined {
    this.#pieces.push(piece)
    this.#bytes += piece.length
    if (this.#whole === null) {
      const start = this.#joined()
      const length = readVarInt(start, 0)
      if (length === 'more') return undefined
      if (!length || length.value < 2 || length.value > ANSWER_MOST) return null
      // Other protocols may seem to have a length, then stay silent.
      const id = start[length.end]
      if (id === undefined) return undefined
      if (id !== 0) return null
      this.#whole = length.end + length.value
    }
    return this.#bytes < this.#whole ? undefined : jsonOf(this.#joined().subarray(0, this.#whole))
  }

  #joined(): Buffer {
    const joined = Buffer.concat(this.#pieces)
    this.#pieces = [joined]
    return joined
  }
}

function jsonOf(packet: Buffer): string | null {
  let at = 0
  let value = 0
  // Packet length, packet id, text length.
  for (let i = 0; i < 3; i++) {
    const read = readVarInt(packet, at)
    if (read === null || read === 'more') return null
    value = read.value
    at = read.end
  }
  return value === packet.length - at ? packet.toString('utf8', at) : null
}
