import { connect } from 'node:net'
import { z } from 'zod'

/** What a server says of itself to whoever asks, before anybody joins. */
export interface ServerStatus {
  /** As the server calls it, such as `1.21.4` or `Paper 1.21.4`. */
  version: string
  players: { online: number; max: number }
  /** Its message of the day as plain text: no colors, line breaks kept. */
  description: string
}

/** Bytes of an answer. With an icon it has some 20,000. */
const ANSWER_MOST = 1024 * 1024
/** Characters of what is taken of it. */
const VERSION_MOST = 100
const DESCRIPTION_MOST = 1000
/** Of how many parts a text may be, nested or not. */
const PARTS_MOST = 1000

/**
 * Asks a server on this computer by Server List Ping, at `host`, an address of it. Null where nothing listens, and where what listens does not answer
 * within `limitMs` milliseconds, answers anything else, or more than 1 MiB. With `enable-status=false` a server does not
 * answer either. Never rejects.
 */
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

/** Handshake (protocol −1: not known yet; next state 1: status), and the question without a word in it. */
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

/** The number at `at`, and where it ends; `more` where it is not all there, null where it is none. */
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

/** Puts the pieces of one answer together. */
class AnswerReader {
  #pieces: Buffer[] = []
  #bytes = 0
  /** Bytes of the whole packet, once its beginning is there. */
  #whole: number | null = null

  /** The JSON of the answer; undefined where more of it has to come, null where it is none. */
  push(piece: Buffer): string | null | undefined {
    this.#pieces.push(piece)
    this.#bytes += piece.length
    if (this.#whole === null) {
      const start = this.#joined()
      const length = readVarInt(start, 0)
      if (length === 'more') return undefined
      if (!length || length.value < 2 || length.value > ANSWER_MOST) return null
      // What speaks another protocol may seem to have a length, and say no more.
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
  // Length of the packet, its id, and the length of the text.
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
    value = JSON.parse(json)
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

/** Of a text component: a text, a list of them, or `{ text, extra: [...] }`. `§` and the sign behind it are colors. */
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
