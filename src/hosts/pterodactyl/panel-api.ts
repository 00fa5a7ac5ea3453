import type { Readable } from 'node:stream'
import type { z } from 'zod'
import { refusalText } from '../../contract/messages/refusals/index.ts'
import { isLoopback } from '../../host/network/loopback.ts'
import { asOneLine } from '../../contract/messages/one-line.ts'
import { HostRefusal, hostRefusal } from '../base/adapter.ts'
import { type Caller, collect, isPage, jsonIn } from '../base/body.ts'
import type { NetworkRequester } from '../base/requester.ts'
import { Envelope, ErrorList, ListEnvelope, PageMeta } from './answers.ts'

const HEAD_MS = 20_000
const TEXT_MOST = 300
/** Of 100 items each, mostly. */
const PAGES_MOST = 20
const ITEMS_MOST = 2000

interface PanelRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  query?: Record<string, string | number>
  json?: unknown
  bytes?: Readable | Uint8Array
  headMs?: number
}

/** The client API of a Pterodactyl or Pelican panel. Throws `HostRefusal`, or the transport's error. */
export class PanelApi {
  /** Such as `https://panel.example.com/api/client`. */
  readonly base: string
  readonly dispatcher: NetworkRequester

  constructor(base: string, dispatcher: NetworkRequester) {
    this.base = base
    this.dispatcher = dispatcher
  }

  /** The panel's address, as its daemons expect it in `Origin`. */
  get origin(): string {
    return new URL(this.base).origin
  }

  /** The address that the panel leads to, as it calls itself; null if it is the same or not told. No key is sent. */
  async ownOrigin(signal: AbortSignal): Promise<string | null> {
    const { origin } = this
    const asked = {
      origin,
      path: '/',
      method: 'GET',
      signal,
      headers: { 'user-agent': 'Wheelhouse' },
    } as const
    const answer = await this.dispatcher.request({ ...asked, headersTimeout: HEAD_MS }).catch(() => null)
    answer?.body.on('error', () => {}).destroy()
    return (answer && movedTo(answer, origin)) ?? null
  }

  /** `json` makes it a POST. */
  async one<S extends z.ZodType>(
    path: string,
    attributes: S,
    caller: Caller,
    query: Record<string, string | number> = {},
    json?: unknown,
  ): Promise<z.output<S>> {
    const request = json === undefined ? { query } : ({ method: 'POST', query, json } as const)
    return fit(Envelope, await this.json(path, caller, request), attributes)
  }

  /** An address that the panel gave, which has to be encrypted where the panel's is. */
  address(given: string, protocol: 'https:' | 'wss:'): URL {
    const url = URL.canParse(given) ? new URL(given) : null
    const isOpen = url?.protocol === protocol.replace('s:', ':') && isLoopback(new URL(this.base).hostname)
    if (url && (url.protocol === protocol || isOpen)) return url
    throw hostRefusal(502, 'host.unsafe-address')
  }

  /** All pages. Items that don't fit are left out. */
  async all<S extends z.ZodType>(
    path: string,
    attributes: S,
    caller: Caller,
    query: Record<string, string | number> = {},
  ): Promise<z.output<S>[]> {
    const items: z.output<S>[] = []
    for (let page = 1; page <= PAGES_MOST; page++) {
      const read = await this.page(path, attributes, caller, { per_page: 100, ...query, page })
      items.push(...read.items.slice(0, ITEMS_MOST - items.length))
      if (page >= read.pages || items.length === ITEMS_MOST) break
    }
    return items
  }

  async page<S extends z.ZodType>(
    path: string,
    attributes: S,
    caller: Caller,
    query: Record<string, string | number> = {},
  ): Promise<{ items: z.output<S>[]; pages: number }> {
    const { items, meta } = await this.listed(path, attributes, caller, query)
    return { items, pages: PageMeta.safeParse(meta).data?.pagination?.total_pages ?? 1 }
  }

  /** A list without pages, with what the panel says beside it. Items that don't fit are left out. */
  async listed<S extends z.ZodType>(
    path: string,
    attributes: S,
    caller: Caller,
    query: Record<string, string | number> = {},
  ): Promise<{ items: z.output<S>[]; meta: unknown }> {
    const answer = ListEnvelope.safeParse(await this.json(path, caller, { query }))
    if (!answer.success) throw unreadable(answer.error)
    const items = answer.data.data.flatMap((item) => {
      const read = attributes.safeParse(Envelope.safeParse(item).data?.attributes)
      return read.success ? [read.data] : []
    })
    return { items, meta: answer.data.meta }
  }

  async json(path: string, caller: Caller, request: PanelRequest = {}): Promise<unknown> {
    const { body } = await this.open(path, caller, request)
    return jsonIn(await collect(body))
  }

  /** For answers without a body. */
  async send(path: string, caller: Caller, request: PanelRequest): Promise<void> {
    const { body } = await this.open(path, caller, request)
    body.destroy()
  }

  /** An open answer of any 2xx. The caller reads or destroys it. */
  async open(
    path: string,
    { key, signal }: Caller,
    { method = 'GET', query = {}, json, bytes, headMs = HEAD_MS }: PanelRequest,
  ): Promise<{ body: Readable }> {
    const url = new URL(this.base + path)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    const answer = await this.dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: {
        authorization: `Bearer ${key}`,
        // Without it, a key that isn't accepted leads to a sign-in page.
        accept: 'application/json',
        'user-agent': 'Wheelhouse',
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: json === undefined ? (bytes ?? null) : JSON.stringify(json),
      signal,
      headersTimeout: headMs,
      bodyTimeout: HEAD_MS,
    })
    answer.body.on('error', () => {})
    const { statusCode: status, headers, body } = answer
    const type = String(headers['content-type'] ?? '')
    const isJson = /\bjson\b/i.test(type)
    const isOther = method !== 'GET' || path.endsWith('/files/contents')
    if (status >= 200 && status < 300 && (status === 204 || isJson || (isOther && !isPage(type))))
      return { body }
    throw await refused(status, headers, body, { isJson, origin: url.origin })
  }
}

function fit<S extends z.ZodType>(envelope: typeof Envelope, value: unknown, schema: S): z.output<S> {
  const outer = envelope.safeParse(value)
  if (!outer.success) throw unreadable(outer.error)
  const inner = schema.safeParse(outer.data.attributes)
  if (!inner.success) throw unreadable(inner.error)
  return inner.data
}

const unreadable = ({ issues }: z.ZodError): HostRefusal =>
  hostRefusal(502, 'host.unreadable', { field: issues[0]?.path.join('.') || 'body' })

/** The other origin that a redirect leads to. */
function movedTo(
  { statusCode, headers }: { statusCode: number; headers: Record<string, string | string[] | undefined> },
  origin: string,
): string | null {
  const location = String(headers['location'] ?? '')
  if (statusCode < 300 || statusCode >= 400 || !URL.canParse(location, origin)) return null
  const target = new URL(location, origin)
  return /^https?:$/.test(target.protocol) && target.origin !== origin ? target.origin : null
}

/** By kind of answer, status and exception: only the texts tell more, and they are for people. */
async function refused(
  status: number,
  headers: Record<string, string | string[] | undefined>,
  body: Readable,
  { isJson, origin }: { isJson: boolean; origin: string },
): Promise<HostRefusal> {
  if (status >= 300 && status < 400) {
    body.destroy()
    const address = movedTo({ statusCode: status, headers }, origin)
    if (address !== null) return hostRefusal(410, 'host.moved', { address })
    const isSignIn = String(headers['location'] ?? '').includes('login')
    return isSignIn
      ? new HostRefusal(401, 'The panel asks for a sign-in.')
      : hostRefusal(503, 'host.page', { status })
  }
  if (!isJson) {
    body.destroy()
    return hostRefusal(503, 'host.page', { status })
  }
  const list = ErrorList.safeParse(jsonIn(await collect(body, 1024 * 1024)))
  const errors = list.success ? list.data.errors : []
  if (!list.success && status < 500) return hostRefusal(503, 'host.other-api', { status })
  const [first] = errors
  const text = asOneLine(first?.detail ?? '').slice(0, TEXT_MOST) || String(status)
  const again = headers['retry-after']
  switch (status) {
    case 401:
      return new HostRefusal(401, text)
    case 403:
      if (/application API key/i.test(text)) return hostRefusal(403, 'host.application-key')
      if (first?.code === 'TwoFactorAuthRequiredException') return hostRefusal(403, 'host.second-factor')
      if (/IP address/i.test(text)) return hostRefusal(403, 'host.key-address')
      return hostRefusal(403, 'host.said', { text })
    case 404:
      return hostRefusal(404, 'host.not-found')
    case 409:
      return hostRefusal(409, 'host.busy', { text })
    case 422:
      return new HostRefusal(422, refusalText('host.said', { text }), { fields: fieldsOf(errors) })
    case 429:
      return new HostRefusal(429, text, { retryAfter: again === undefined ? '60' : String(again) })
    case 502:
    case 504:
      return /must be online/i.test(text)
        ? hostRefusal(409, 'host.offline')
        : hostRefusal(503, 'host.node-away')
    default:
      return hostRefusal(status < 500 ? 400 : 502, 'host.said', { text })
  }
}

function fieldsOf(errors: z.output<typeof ErrorList>['errors']): Record<string, string[]> {
  const fields: Record<string, string[]> = {}
  for (const { detail, meta } of errors.slice(0, 50))
    if (meta?.source_field)
      (fields[meta.source_field] ??= []).push(asOneLine(detail ?? '').slice(0, TEXT_MOST))
  return fields
}
