import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Checksum } from './remote-file.ts'
import { CatalogFault } from './faults.ts'

export interface RequestLimits {
  /** Until response headers, ms. */
  headMs: number
  /** Longest gap within a body, ms. */
  silenceMs: number
  /** Whole request with redirects, ms. */
  wholeMs: number
  mostBytes: number
}

export interface Head {
  status: number
  header: (name: string) => string | null
  body: Readable
}

/** What sends requests; destroyed with what asks. */
export interface CatalogDispatcher {
  request(
    asked: Dispatcher.RequestOptions,
  ): Promise<Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> & { body: Readable }>
  destroy(): Promise<void>
}

/** A GET, or a POST of JSON. Network errors become faults. */
export async function exchange(
  dispatcher: Pick<CatalogDispatcher, 'request'>,
  url: URL,
  headers: Record<string, string>,
  limits: RequestLimits,
  signal: AbortSignal,
  json?: string,
): Promise<Head> {
  const answer = await dispatcher
    .request({
      origin: url.origin,
      path: url.pathname + url.search,
      ...(json === undefined
        ? { method: 'GET', headers }
        : { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: json }),
      signal,
      headersTimeout: limits.headMs,
      bodyTimeout: limits.silenceMs,
    })
    .catch((error: unknown) => {
      throw new CatalogFault('unreachable', `${url.host} could not be reached.`, { cause: error })
    })
  // Unread bodies may fail; readers get the error from reading.
  answer.body.on('error', () => {})
  return {
    status: answer.statusCode,
    header: (name) => {
      const value = answer.headers[name]
      return (Array.isArray(value) ? value[0] : value) ?? null
    },
    body: answer.body,
  }
}

export async function textOf(head: Head, mostBytes: number): Promise<string> {
  const bytes = await bytesOf(head, mostBytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new CatalogFault('unreadable', 'The answer is not text.', { cause: error })
  }
}

export async function bytesOf({ body, header }: Head, mostBytes: number): Promise<Buffer> {
  const tooLarge = () => new CatalogFault('unreadable', `The answer is larger than ${mostBytes} bytes.`)
  const encoding = header('content-encoding')
  if (encoding !== null && encoding !== 'identity') {
    body.destroy()
    throw new CatalogFault('unreadable', `The answer is encoded (${encoding}), which was not asked for.`)
  }
  if (Number(header('content-length') ?? 0) > mostBytes) {
    body.destroy()
    throw tooLarge()
  }
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      size += piece.length
      // Leaving the loop destroys the body and closes the connection.
      if (size > mostBytes) throw tooLarge()
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  } catch (error) {
    if (error instanceof CatalogFault) throw error
    throw new CatalogFault('unreachable', 'The answer broke off.', { cause: error })
  }
}

export function checkText(text: string, { algorithm, value }: Checksum): void {
  if (createHash(algorithm).update(text).digest('hex') !== value)
    throw new CatalogFault('unreadable', `The answer has another ${algorithm} than was told.`)
}

/** Allows https, or the same origin: otherwise a host could make us request what only this computer can reach. */
export function redirected(from: URL, location: string | null): URL {
  const to = location !== null && URL.canParse(location, from) ? new URL(location, from) : null
  if (to && !to.username && !to.password && (to.protocol === 'https:' || to.origin === from.origin)) return to
  throw new CatalogFault('unreadable', `${from.host} redirects to an address that is not followed.`)
}

/** Above this, a number is Unix seconds, not seconds from now. */
const EPOCH_FROM = 1_000_000_000

/** @param now Unix ms */
export function pauseWanted({ status, header }: Head, now: number): number | null {
  const isRefused = status === 429 || status === 503
  const after = header('retry-after')
  if (isRefused && after !== null) {
    if (/^\d{1,10}$/.test(after)) return Number(after) * 1000
    const date = Date.parse(after)
    if (!Number.isNaN(date)) return Math.max(0, date - now)
  }
  if (status === 429 || header('x-ratelimit-remaining') === '0') {
    const reset = Number(header('x-ratelimit-reset') ?? NaN)
    if (reset > EPOCH_FROM) return Math.max(0, reset * 1000 - now)
    if (reset >= 0) return reset * 1000
  }
  return status === 429 ? 60_000 : null
}
