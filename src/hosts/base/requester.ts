import { PassThrough, Readable } from 'node:stream'
import { operations as declared } from '../../contract/areas/index.ts'
import type { Operation } from '../../contract/declarations/operation.ts'
import type { Dial } from '../../host/network/dial.ts'
import type { Dispatcher } from '../../host/network/undici.ts'
import { Refusal } from '../../host/refusal.ts'
import {
  type HostAdapter,
  type HostBytes,
  type HostCall,
  type HostEvent,
  type HostHandler,
  type HostMachines,
  HostRefusal,
} from './adapter.ts'

const HEARTBEAT_MS = 15_000

export interface HostAnswer {
  statusCode: number
  headers: Record<string, string | string[] | undefined>
  body: Readable
}

/** What sends requests over the network: undici's dispatcher. `dial` opens connections of other kinds by the same way. */
export interface NetworkRequester {
  dial: Dial
  request(asked: Dispatcher.RequestOptions): Promise<HostAnswer>
}

interface Route {
  op: Operation
  pattern: RegExp
  names: string[]
}

/** Paths without parameters first: `/servers/events` is no server. */
const routes: readonly Route[] = declared
  .map((op): Route => {
    const names: string[] = []
    const pattern = op.path.replace(/:([A-Za-z]+)/g, (_whole, name: string) => {
      names.push(name)
      return '([^/]+)'
    })
    return { op, pattern: new RegExp(`^${pattern}$`), names }
  })
  .sort((a, b) => a.names.length - b.names.length)

/** Answers the contract's requests by what an adapter asks of its host, within this process. */
export class HostRequester implements Pick<NetworkRequester, 'request'> {
  readonly #adapter: Promise<HostAdapter>
  readonly #base: string

  /** `basePath`: of the connection's address, such as `/api/client`. */
  constructor(basePath: string, adapter: Promise<HostAdapter>) {
    this.#base = basePath
    this.#adapter = adapter
    adapter.catch(() => {})
  }

  async request(asked: Dispatcher.RequestOptions): Promise<HostAnswer> {
    const url = new URL(asked.path, 'http://host')
    const found = routeOf(asked.method, url.pathname.slice(this.#base.length))
    const { operations } = await this.#adapter
    const handler = found && (operations as Record<string, HostHandler<Operation> | undefined>)[found.op.id]
    if (!found || !handler) return json(501, { error: { code: 'host.not-offered' } })
    const ending = new AbortController()
    const aborted = asked.signal as AbortSignal | undefined
    if (aborted?.aborted) throw aborted.reason
    const end = () => ending.abort(aborted?.reason)
    aborted?.addEventListener('abort', end, { once: true })
    const headers: Record<string, string> = {}
    let isOpen = false
    const key = keyOf(asked)
    try {
      const call = await callOf(found, url, asked, { signal: ending.signal, headers })
      const answer = await handler(call as HostCall<Operation>)
      const made = answerOf(found.op, answer, headers)
      if (ending.signal.aborted) {
        // Nobody is there any more to end it.
        made.body.destroy()
        throw ending.signal.reason
      }
      isOpen = found.op.answer.kind === 'events' || found.op.answer.kind === 'bytes'
      if (isOpen) {
        made.body.once('close', () => {
          aborted?.removeEventListener('abort', end)
          ending.abort(new Error('The answer was closed.'))
        })
        ending.signal.addEventListener('abort', () => made.body.destroy(), { once: true })
      }
      return made
    } catch (error) {
      if (aborted?.aborted) throw aborted.reason
      if (error instanceof HostRefusal) return refused(error, key)
      if (error instanceof Refusal) {
        const { status, asTold, atFields, headers: more } = error
        return json(status, { error: { ...asTold, ...atFields } }, more)
      }
      throw error
    } finally {
      if (!isOpen) aborted?.removeEventListener('abort', end)
    }
  }

  async machines(): Promise<HostMachines | null> {
    return (await this.#adapter).machines ?? null
  }

  close(): void {
    void this.#adapter.then((adapter) => adapter.close()).catch(() => {})
  }
}

function routeOf(method: string, path: string): { op: Operation; params: Record<string, string> } | null {
  for (const { op, pattern, names } of routes) {
    if (op.method !== method) continue
    const match = pattern.exec(path)
    if (!match) continue
    const params = names.map((name, at) => [name, decodeURIComponent(match[at + 1] ?? '')])
    return { op, params: Object.fromEntries(params) as Record<string, string> }
  }
  return null
}

async function callOf(
  { op, params }: { op: Operation; params: Record<string, string> },
  url: URL,
  asked: Dispatcher.RequestOptions,
  { signal, headers }: { signal: AbortSignal; headers: Record<string, string> },
): Promise<Record<keyof HostCall<Operation>, unknown>> {
  const given = (asked.headers ?? {}) as Record<string, string>
  const bytes = streamOf(asked.body)
  const query = op.query ? op.query.parse(Object.fromEntries(url.searchParams)) : undefined
  const body = op.body?.parse(JSON.parse((await textOf(bytes)) || 'null'))
  return {
    params,
    query,
    body,
    key: keyOf(asked),
    bytes,
    header: (name: string) => given[name] ?? null,
    set: (name: string, value: string) => void (headers[name] = value),
    signal,
  }
}

const keyOf = ({ headers }: Dispatcher.RequestOptions): string =>
  ((headers as Record<string, string> | undefined)?.['authorization'] ?? '').replace(/^Bearer /, '')

function streamOf(body: Dispatcher.RequestOptions['body']): Readable {
  if (body instanceof Readable) return body
  if (typeof body === 'string' || body instanceof Uint8Array) return Readable.from([Buffer.from(body)])
  return Readable.from([])
}

async function textOf(body: Readable): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}

function answerOf(op: Operation, answer: unknown, headers: Record<string, string>): HostAnswer {
  switch (op.answer.kind) {
    case 'none':
      return { statusCode: 204, headers, body: Readable.from([]) }
    case 'json':
    case 'list':
      return json(op.status, answer, headers)
    case 'bytes': {
      const { stream, size, range } = answer as HostBytes
      const about = {
        'content-type': 'application/octet-stream',
        ...(size === null ? {} : { 'content-length': String(size) }),
        ...(range === undefined ? {} : { 'content-range': range }),
      }
      return { statusCode: range === undefined ? 200 : 206, headers: { ...headers, ...about }, body: stream }
    }
    case 'events':
      return {
        ...{ statusCode: 200, headers: { ...headers, 'content-type': 'text/event-stream' } },
        body: eventStream(answer as AsyncIterable<HostEvent>),
      }
  }
}

function eventStream(events: AsyncIterable<HostEvent>): Readable {
  const out = new PassThrough()
  out.write(': begins\n\n')
  const beat = setInterval(() => out.write(': beat\n\n'), HEARTBEAT_MS)
  const source = Readable.from(events)
  source.on('data', ({ event, data }: HostEvent) => {
    if (!out.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)) {
      source.pause()
      out.once('drain', () => source.resume())
    }
  })
  source.once('end', () => out.end())
  source.once('error', (error) => out.destroy(error))
  out.once('close', () => {
    clearInterval(beat)
    source.destroy()
  })
  return out
}

function json(status: number, value: unknown, headers: Record<string, string> = {}): HostAnswer {
  return {
    statusCode: status,
    headers: { ...headers, 'content-type': 'application/json' },
    body: Readable.from([Buffer.from(JSON.stringify(value ?? null))]),
  }
}

/** A host may repeat the key in what it says. */
function refused({ status, message, told, fields, retryAfter }: HostRefusal, key: string): HostAnswer {
  const code = told?.sentence.split('.').slice(0, 2).join('.')
  const error = {
    ...(code !== undefined && { code }),
    message,
    ...(told && { sentence: told.sentence, values: told.values }),
    ...(fields && { fields }),
  }
  const shown = JSON.parse(JSON.stringify(error), (_name, value: unknown) =>
    typeof value === 'string' && key !== '' ? value.replaceAll(key, '•••') : value,
  ) as unknown
  return json(status, { error: shown }, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
}
