import type { Readable } from 'node:stream'
import { request, type Dispatcher } from 'undici'
import { type Head, pauseWanted } from '../../../extensions/requests/exchange.ts'
import type { HostPauses } from './host-pauses.ts'
import { type Reason, reasonOfNetwork } from '../../../extensions/requests/download-refusals.ts'

const MOST_REDIRECTS = 5
/** Read at most this much of other responses, to reuse the connection. */
const MOST_BESIDE = 64 * 1024

export class DownloadInterruption extends Error {
  override name = 'DownloadInterruption'
  readonly reason: Reason
  readonly again: boolean
  /** The server requested a pause that will be respected, so this doesn't count as a failure. */
  readonly isPaused: boolean

  constructor(reason: Reason, again: boolean, isPaused = false) {
    super(reason.part)
    this.reason = reason
    this.again = again
    this.isPaused = isPaused
  }
}

export interface FileAnswer {
  status: 200 | 206 | 416
  header(name: string): string | undefined
  body: Readable
}

interface FileRequestContext {
  dispatcher: Dispatcher
  userAgent: string
  signal: AbortSignal
  headersMs: number
  pauses: HostPauses
  untilAllowed: (host: URL) => Promise<void>
  /** Redirect targets besides the original host; absent: any https host. */
  hosts?: readonly string[] | undefined
}

/** The rest after `from` bytes if the entity tag matches. The caller reads or destroys the body. Throws DownloadInterruption. */
export async function requestFile(
  url: string,
  from: { bytes: number; etag: string } | null,
  { dispatcher, userAgent, signal, headersMs, pauses, untilAllowed, hosts }: FileRequestContext,
): Promise<FileAnswer> {
  let at = new URL(url)
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    await untilAllowed(at)
    const answer = await request(at, {
      dispatcher,
      signal,
      headersTimeout: headersMs,
      // The reader's own limit can't be dodged by a byte now and then.
      bodyTimeout: 0,
      headers: {
        'user-agent': userAgent,
        accept: '*/*',
        // Compressed parts couldn't be joined.
        'accept-encoding': 'identity',
        ...(from && { range: `bytes=${from.bytes}-`, 'if-range': from.etag }),
      },
    }).catch((error: unknown) => {
      throw new DownloadInterruption(reasonOfNetwork(error), true)
    })
    const { statusCode: status, body } = answer
    body.on('error', () => undefined)
    const header = (name: string) => firstOf(answer.headers[name])
    const head = { status, header: (name: string) => header(name) ?? null, body }
    const pauseMs = saysWhen(head) ? pauseWanted(head, Date.now()) : null
    if (pauseMs !== null) pauses.pause(at.origin, pauseMs)
    const packed = header('content-encoding')
    if (status === 200 || status === 206 || status === 416) {
      if (packed === undefined || packed === 'identity') return { status, header, body }
      body.destroy()
      throw new DownloadInterruption({ part: 'packed' }, false)
    }
    await body.dump({ limit: MOST_BESIDE, signal }).catch(() => undefined)
    const to = status >= 300 && status < 400 ? header('location') : undefined
    if (to === undefined) throw refusedBy(status, (pauseMs ?? 0) > 0)
    at = redirected(at, to, hosts)
  }
  throw new DownloadInterruption({ part: 'redirects' }, false)
}

/** Never from https to http. */
function redirected(from: URL, location: string, hosts: FileRequestContext['hosts']): URL {
  if (!URL.canParse(location, from.href)) throw new DownloadInterruption({ part: 'redirects-nowhere' }, false)
  const to = new URL(location, from)
  if (hosts && to.origin !== from.origin && !(to.port === '' && hosts.includes(to.hostname)))
    throw new DownloadInterruption({ part: 'redirects-elsewhere', values: { to: to.host } }, false)
  if (to.protocol === 'https:' || (to.protocol === 'http:' && to.origin === from.origin)) return to
  throw new DownloadInterruption(
    { part: 'redirects-open', values: { to: `${to.protocol}//${to.host}` } },
    false,
  )
}

/** If a host doesn't say when, our growing pauses apply. */
const saysWhen = ({ header }: Pick<Head, 'header'>): boolean =>
  header('retry-after') !== null || header('x-ratelimit-reset') !== null

function refusedBy(status: number, isPaused: boolean): DownloadInterruption {
  if (status === 404 || status === 410)
    return new DownloadInterruption({ part: 'gone', values: { status: String(status) } }, false)
  const again = status >= 500 || status === 429 || status === 408
  return new DownloadInterruption(
    status === 429 ? { part: 'too-often' } : { part: 'status', values: { status: String(status) } },
    again,
    again && isPaused,
  )
}

const firstOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)
