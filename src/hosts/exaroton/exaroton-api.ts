import { Readable } from 'node:stream'
import type { z } from 'zod'
import { asOneLine } from '../../contract/messages/one-line.ts'
import { HostRefusal, hostRefusal } from '../base/adapter.ts'
import { type Caller, collect, isPage, jsonIn } from '../base/body.ts'
import type { HostAnswer, NetworkRequester } from '../base/requester.ts'
import { Envelope } from './answers.ts'
import { RequestBudget } from './request-budget.ts'

const ANSWER_MOST = 32 * 1024 * 1024
const ERROR_MOST = 64 * 1024
const TEXT_MOST = 300
const HEAD_MS = 20_000
/** An upload is stored before it is answered. */
const UPLOAD_HEAD_MS = 5 * 60_000

interface ApiRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  json?: unknown
  bytes?: Readable | Uint8Array
  type?: string
  /** Asked for by a person just now. */
  isUrgent?: boolean
}

/** The API of exaroton. Each call is one request, which is never repeated. Throws `HostRefusal`, or the transport's error. */
export class ExarotonApi {
  /** `https://api.exaroton.com/v1`, except in tests. */
  readonly base: string
  readonly #dispatcher: NetworkRequester
  readonly #budget = new RequestBudget()

  constructor(base: string, dispatcher: NetworkRequester) {
    this.base = base
    this.#dispatcher = dispatcher
  }

  async read<S extends z.ZodType>(path: string, schema: S, caller: Caller): Promise<z.output<S>> {
    const read = schema.safeParse(await this.send(path, caller))
    if (!read.success)
      throw hostRefusal(502, 'exaroton.unreadable', { field: read.error.issues[0]?.path.join('.') || 'data' })
    return read.data
  }

  /** Returns `data`. */
  async send(path: string, caller: Caller, request: ApiRequest = {}): Promise<unknown> {
    const { statusCode: status, headers, body } = await this.#open(path, caller, request)
    const bytes = await collect(body, isGood(status) ? ANSWER_MOST : ERROR_MOST)
    const read = Envelope.safeParse(jsonIn(bytes))
    if (read.success && isGood(status) && read.data.success) return read.data.data
    throw refusalOf(status, headers, read.success ? (read.data.error ?? '') : null)
  }

  /** A file's bytes. The caller reads or destroys them. */
  async bytes(path: string, caller: Caller): Promise<{ body: Readable; size: number | null }> {
    const answer = await this.#open(path, caller, {})
    const { statusCode: status, headers, body } = answer
    const size = Number(headers['content-length'] ?? Number.NaN)
    if (!isGood(status)) {
      const read = Envelope.safeParse(jsonIn(await collect(body, ERROR_MOST)))
      throw refusalOf(status, headers, read.success ? (read.data.error ?? '') : null)
    }
    const type = String(headers['content-type'] ?? '')
    if (isPage(type) && !/\.x?html?$/i.test(path)) {
      body.destroy()
      throw refusalOf(status, headers, null)
    }
    const isJson = /\bjson\b/i.test(type)
    const stream = isJson ? await withoutRefusal(body) : body
    return { body: stream, size: Number.isSafeInteger(size) ? size : null }
  }

  async #open(
    path: string,
    { key, signal }: Caller,
    { method = 'GET', json, bytes, type, isUrgent = false }: ApiRequest,
  ): Promise<HostAnswer> {
    await this.#budget.take(signal, isUrgent)
    const url = new URL(`${this.base}/${path}`)
    const answer = await this.#dispatcher.request({
      ...{ origin: url.origin, path: url.pathname, method, signal },
      // `stop` and `restart` are GET.
      idempotent: false,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json',
        'user-agent': 'Wheelhouse',
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(type !== undefined && { 'content-type': type }),
      },
      body: json === undefined ? (bytes ?? null) : JSON.stringify(json),
      headersTimeout: bytes === undefined ? HEAD_MS : UPLOAD_HEAD_MS,
      bodyTimeout: HEAD_MS,
    })
    answer.body.on('error', () => {})
    return answer
  }
}

/** A refusal may come with 200 in place of a file: it is told apart by its form. */
async function withoutRefusal(body: Readable): Promise<Readable> {
  const pieces = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const read: Buffer[] = []
  let length = 0
  let isWhole = false
  while (!isWhole && length <= ERROR_MOST) {
    const { done, value } = (await pieces.next()) as IteratorResult<Buffer, undefined>
    if (done) isWhole = true
    else {
      read.push(value)
      length += value.length
    }
  }
  const said = isWhole ? Envelope.safeParse(jsonIn(Buffer.concat(read))).data : undefined
  if (said?.success === false && said.error) throw refusalOf(200, {}, said.error)
  async function* all(): AsyncGenerator<Buffer> {
    yield* read
    if (!isWhole) yield* { [Symbol.asyncIterator]: () => pieces }
  }
  const stream = Readable.from(all(), { objectMode: false })
  stream.once('close', () => body.destroy())
  return stream
}

/** `file` within a server's folder: each name encoded, without a slash at the start. */
export const filePath = (serverId: string, kind: 'info' | 'data', file: string): string =>
  `${serverPath(serverId)}/files/${kind}/${file.split('/').map(encodeURIComponent).join('/')}`

export const serverPath = (serverId: string): string => `servers/${encodeURIComponent(serverId)}`

const isGood = (status: number): boolean => status >= 200 && status < 300

/** By status: only the texts tell more, and they are for people. `said`: null if it isn't exaroton's own form. */
function refusalOf(status: number, headers: HostAnswer['headers'], said: string | null): HostRefusal {
  const text = asOneLine(said ?? '').slice(0, TEXT_MOST) || String(status)
  if (status === 429) return new HostRefusal(429, text, { retryAfter: String(headers['retry-after'] ?? 60) })
  if (said === null && isPage(String(headers['content-type'] ?? '')))
    return hostRefusal(503, 'exaroton.page', { status })
  if (said === null && isGood(status)) return hostRefusal(502, 'exaroton.unreadable', { field: 'success' })
  switch (status) {
    case 401:
      return new HostRefusal(401, text)
    case 403:
      return hostRefusal(403, 'exaroton.forbidden', { text })
    case 404:
      return hostRefusal(404, 'exaroton.not-found')
    case 413:
      return hostRefusal(413, 'exaroton.said', { text })
    default:
      // A call in the wrong state has no status of its own, and may come with 200.
      return status >= 500
        ? hostRefusal(502, 'exaroton.failed', { text })
        : hostRefusal(409, 'exaroton.said', { text })
  }
}
