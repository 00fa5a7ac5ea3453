import { parseModest } from '../base/json-shape.ts'
import { connect } from 'node:net'
import { z } from 'zod'

interface ServerStatus {
  /** Such as `1.21.4` or `Paper 1.21.4`. */
  version: string
  players: { online: number; max: number }
  description: string
}

/** Bytes; usually 20,000 with an icon. */
const ANSWER_MOST = 1024 * 1024
const VERSION_MOST = 100
const DESCRIPTION_MOST = 1000
const PARTS_MOST = 1000
/** Forge also lists its mods. */
const VALUES_MOST = 50_000

/** Null without a valid answer within `limitMs`, and with `enable-status=false`. Never rejects. */
export function pingServer(
  port: number,
  { host = '127.0.0.1', limitMs = 5_000 }: { host?: string; limitMs?: number } = {},
): Promise<ServerStatus | null> {
  return new Promise((resolve) => {
    const reader = new AnswerReader()
    const socket = connect({ host, port })
    const finish = (status: ServerStatus | null) => {
      clearTimeout(limit)
      socket.destroy()
      resolve(status)
    }
    const limit = setTimeout(() => finish(null), limitMs)
    socket.on('error', () => finish(null))
    socket.on('close', () => finish(null))
    socket.on('connect', () => socket.write(question(host, port)))
    socket.on('data', (chunk: Buffer) => {
      const json = reader.push(chunk)
      if (json !== undefined) finish(json === null ? null : statusIn(json))
    })
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

function varInt(value: number): Buffer {
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

const Count = z.int().min(0)
const Answer = z.object({
  version: z.object({ name: z.string() }),
  players: z.object({ online: Count, max: z.int() }),
  description: z.unknown(),
})

function statusIn(json: string): ServerStatus | null {
  let value: unknown
  try {
    value = parseModest(json, VALUES_MOST, VALUES_MOST)
  } catch {
    return null
  }
  const { data } = Answer.safeParse(value)
  if (!data) return null
  return {
    version: data.version.name.slice(0, VERSION_MOST),
    players: { online: data.players.online, max: Math.max(0, data.players.max) },
    description: plainText(data.description),
  }
}

/** Text components: a text, a list, or `{ text, extra: [...] }`. `§` and the next character are a color. */
function plainText(component: unknown): string {
  let text = ''
  let parts = 0
  const add = (part: unknown): void => {
    if (parts++ > PARTS_MOST || text.length > DESCRIPTION_MOST * 2) return
    if (typeof part === 'string') {
      text += part.slice(0, DESCRIPTION_MOST * 2)
    } else if (Array.isArray(part)) {
      for (const one of part.slice(0, PARTS_MOST)) add(one)
    } else if (typeof part === 'object' && part !== null) {
      const { text: own, translate, extra } = part as Record<string, unknown>
      if (typeof own === 'string') add(own)
      else if (typeof translate === 'string') add(translate)
      if (Array.isArray(extra)) add(extra)
    }
  }
  add(component)
  return text.replaceAll(/§./gs, '').slice(0, DESCRIPTION_MOST).trim()
}
