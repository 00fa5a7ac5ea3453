import type { Readable } from 'node:stream'
import { isWithin } from '../../contract/rules/json-bounds.ts'
import { type HostRefusal, hostRefusal } from './adapter.ts'

/** Bytes. A folder of 100,000 entries takes about 40 MB. */
const ANSWER_MOST = 64 * 1024 * 1024
/** What it is made of: such a folder has 1,200,000 values. */
const JSON_MOST = { values: 2_000_000, depth: 64 }
/** Ms, for all of an answer: one that comes byte by byte has no end. */
const WHOLE_MS = 60_000

/** Whose request it is. */
export interface Caller {
  key: string
  signal: AbortSignal
}

/** Of a text that is saved: its most, MB. */
export const textTooLong = (most: number) => (): HostRefusal => hostRefusal(413, 'host.text-size', { most })

const tooLong = (): HostRefusal => hostRefusal(413, 'host.too-long')

/** Reads a whole body up to a limit, and throws `refusal` past it. */
export async function collect(body: Readable, most = ANSWER_MOST, refusal = tooLong): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of inTime(body)) {
    length += piece.length
    if (length > most) throw refusal()
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** What protection in front of a host sends in place of an answer. */
export const isPage = (contentType: string): boolean => /\bx?html\b/i.test(contentType)

/** Null for what is no JSON, or is made of too much of it. */
export function jsonIn(bytes: Buffer): unknown {
  try {
    return isWithin(JSON_MOST, bytes) ? (JSON.parse(bytes.toString()) as unknown) : null
  } catch {
    return null
  }
}

/** Of a log: bytes from the end, bytes that are read to get there, and lines. */
const TAIL_MOST = 4 * 1024 * 1024
const THROUGH_MOST = 256 * 1024 * 1024
const LINES_MOST = 50_000

/** The last lines of a text; without the last one that has no end yet. */
export async function lastLines(stream: Readable): Promise<string[]> {
  const pieces: Buffer[] = []
  let held = 0
  let through = 0
  for await (const piece of inTime(stream)) {
    pieces.push(piece)
    held += piece.length
    if ((through += piece.length) > THROUGH_MOST) throw tooLong()
    while (held - pieces[0]!.length > TAIL_MOST) held -= pieces.shift()!.length
  }
  const lines = linesIn(Buffer.concat(pieces).toString())
  if (through > held) lines.shift()
  lines.pop()
  return lines.slice(-LINES_MOST)
}

/** Lines as a terminal or a file has them. An expression for their ends would take hours for a million returns. */
export function linesIn(text: string): string[] {
  const lines = text.split('\n')
  for (const [at, line] of lines.entries()) {
    let end = line.length
    while (end > 0 && line.charCodeAt(end - 1) === RETURN) end--
    if (end < line.length) lines[at] = line.slice(0, end)
  }
  return lines
}
const RETURN = 0x0d

/** Leaving it destroys the body, and with it the connection. */
async function* inTime(body: Readable): AsyncGenerator<Buffer, void, undefined> {
  const limit = setTimeout(() => body.destroy(hostRefusal(504, 'host.endless')), WHOLE_MS)
  try {
    yield* body as AsyncIterable<Buffer>
  } finally {
    clearTimeout(limit)
  }
}
