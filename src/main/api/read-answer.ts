import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { z } from 'zod'
import { ErrorBody } from '../../contract/api/errors.ts'
import type { Operation, Page } from '../../contract/api/operation.ts'
import { type Said, say } from '../../contract/messages/say.ts'
import type { Arrived } from './classify.ts'
import { cursorOf, keepItem, type ListReader, pathOf } from './read-list.ts'
import type { Response } from './transport.ts'

/** Largest JSON answer, in bytes, before and after decompression. */
export const ANSWER_MOST_BYTES = 32 * 1024 * 1024

/** What the service sent is longer than any answer may be. */
export class AnswerTooLong extends Error {}

const unpackers = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

/** Encodings the client can undo. */
export const ACCEPT_ENCODING = 'gzip, br'

/** Reads a body whole; a list is read while it comes. Throws `AnswerTooLong`, or what the transport threw. */
export async function readText(response: Response, list: ListReader | null = null): Promise<string> {
  const encoding = response.header('content-encoding')?.trim().toLowerCase() ?? ''
  const bytes = await collect(response.body, encoding === '' || encoding === 'identity' ? list : null)
  const unpack = unpackers[encoding as keyof typeof unpackers]
  if (!unpack || bytes.length === 0) return bytes.toString('utf8')
  try {
    return (await unpack(bytes, { maxOutputLength: ANSWER_MOST_BYTES })).toString('utf8')
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new AnswerTooLong()
    // Not what its header says: the reading of it as JSON will say so.
    return bytes.toString('latin1')
  }
}

async function collect(body: Readable, list: ListReader | null): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > ANSWER_MOST_BYTES) throw new AnswerTooLong()
    chunks.push(chunk)
    list?.take(chunk)
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
}

/** Whether an answer is a web page, as proxies, sign-in walls and wrong addresses send. */
export function isPage(contentType: string | null, text: string): boolean {
  return /\bhtml\b/i.test(contentType ?? '') || /^\s*<(!doctype|html)/i.test(text.slice(0, 200))
}

/** The error of an error body, as far as it can be made out; null where there is none. */
export function readError(text: string): ErrorBody['error'] | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  const whole = ErrorBody.safeParse(value)
  if (whole.success) return whole.data.error
  // One field of another shape must not cost the others.
  const inner: unknown = (value as { error?: unknown } | null)?.error
  if (typeof inner !== 'object' || inner === null) return null
  const kept: ErrorBody['error'] = {}
  for (const name of ['code', 'message', 'requestId'] as const) {
    const field = (inner as Record<string, unknown>)[name]
    if (typeof field === 'string') kept[name] = field
  }
  return kept
}

type Fit = NonNullable<Arrived['fit']>
/** The value of a successful answer, or why it has none. */
export type Reading = { value: unknown; fit: Fit }

/** Reads a successful answer against what the operation declares. `list` is what read it while it came, if anything. */
export function readValue(
  op: Operation,
  contentType: string | null,
  text: string,
  list: ListReader | null = null,
): Reading {
  const answer = op.answer
  const misfit = (path: string, why: Said): Reading => ({
    value: undefined,
    fit: { kind: 'misfit', path, why },
  })
  if (isPage(contentType, text)) {
    return misfit('body', say('answer.page'))
  }
  if (answer.kind !== 'json' && answer.kind !== 'list') return { value: undefined, fit: { kind: 'fits' } }
  const page = list?.end()
  if (page) return { value: page, fit: { kind: 'fits' } }
  let value: unknown = {}
  // A service that has nothing to say about an accepted call is understood, if no field is required.
  if (text.trim() !== '') {
    try {
      value = JSON.parse(text)
    } catch {
      const broken: Fit = { kind: 'broken', why: say('answer.no-json') }
      return { value: undefined, fit: broken }
    }
  }
  if (answer.kind === 'list') return readPage(answer.item, value, misfit)
  const parsed = answer.schema.safeParse(value)
  if (parsed.success) return { value: parsed.data, fit: { kind: 'fits' } }
  const path = pathOf(parsed.error.issues[0]) || 'body'
  return misfit(path, say('answer.field', { field: path }))
}

/** Reads an answer that has no schema: its JSON, or null where it is none. A web page is no success. */
export function readRaw(contentType: string | null, text: string, success: boolean): Reading {
  if (success && isPage(contentType, text)) {
    return { value: null, fit: { kind: 'misfit', path: 'body', why: say('answer.page') } }
  }
  try {
    return { value: JSON.parse(text) as unknown, fit: { kind: 'fits' } }
  } catch {
    return { value: null, fit: { kind: 'fits' } }
  }
}

function readPage(item: z.ZodType, value: unknown, misfit: (path: string, why: Said) => Reading): Reading {
  const body = value as { items?: unknown; nextCursor?: unknown } | null
  const raw = Array.isArray(value) ? (value as unknown[]) : body?.items
  if (!Array.isArray(raw)) return misfit('items', say('answer.no-list'))
  const page: Page<unknown> = {
    items: [],
    nextCursor: Array.isArray(value) ? null : cursorOf(body?.nextCursor),
    leftOut: [],
  }
  for (const [index, one] of raw.entries()) keepItem(item, one, index, page)
  return { value: page, fit: { kind: 'fits' } }
}
