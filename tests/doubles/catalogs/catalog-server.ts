import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CatalogSettings } from '../../../src/service/software/catalogs/settings.ts'

/** What a catalog does instead of answering. */
export type CatalogFaultKind =
  /** The connection ends without an answer. */
  | { kind: 'out of reach' }
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  /** The answer is cut in half, as if it were whole. */
  | { kind: 'damaged' }
  /** So many bytes; `told`: it says so before. */
  | { kind: 'huge'; bytes: number; told: boolean }
  /** Nothing comes, ever. */
  | { kind: 'silent' }
  /** The right answer comes, but not before that. */
  | { kind: 'held'; until: Promise<void> }
  /** Half of the answer comes, and then nothing. */
  | { kind: 'stalls' }
  /** The right answer comes in pieces, all of it in so many ms. */
  | { kind: 'slow'; ms: number }
  /** Half of the answer comes, and the connection ends. */
  | { kind: 'breaks off' }
  /** Something else under the same address. */
  | { kind: 'instead'; body: string | Buffer }

/** A request as it arrived. */
export interface SeenRequest {
  method: string
  path: string
  /** What came with it; empty for most. */
  body: string
  headers: IncomingMessage['headers']
  /** What it was answered with; null where it was not. */
  status: number | null
}

/** What a catalog that looks at the question answers; null: there is nothing. */
export type Answerer = (question: {
  method: string
  /** With what follows the question mark. */
  url: URL
  body: string
}) => { status?: number; body: string | Buffer | object } | null

/** Longest body of a request that is read, in bytes. */
const BODY_MOST = 1024 * 1024

const NAMES = [
  'mojang',
  'paper',
  'purpur',
  'fabric',
  'quilt',
  'neoforge',
  'forge',
  'forgeMaven',
  'adoptium',
  'modrinth',
  'hangar',
] as const
export type CatalogName = (typeof NAMES)[number]

const bytesOf = (body: string | Buffer | object): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > BODY_MOST) throw new Error('A request with so much is none of a catalog.')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

const tagOf = (body: Buffer) => `"${createHash('sha1').update(body).digest('hex')}"`

/**
 * All catalogs on loopback, each below a path of its own name: documents, and files of any bytes under the addresses that
 * documents name. Every knob acts on paths that begin as given.
 */
export class CatalogServer {
  readonly origin: string
  readonly requests: SeenRequest[] = []
  /** Headers of every good answer from now on. */
  headers: Record<string, string> = {}
  readonly #documents = new Map<string, Buffer>()
  readonly #answerers = new Map<string, Answerer>()
  readonly #faults: { prefix: string; fault: CatalogFaultKind; times: number }[] = []
  readonly #server
  readonly #seen = new Set<() => void>()
  #open = 0
  /** Most requests that were under way at once. */
  mostAtOnce = 0
  /** While this is set, answers wait for it. */
  held: Promise<void> | null = null

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (request, response) => {
      this.#open += 1
      this.mostAtOnce = Math.max(this.mostAtOnce, this.#open)
      response.on('close', () => (this.#open -= 1))
      response.on('error', () => {})
      void this.#answer(request, response).catch(() => response.destroy())
    })
  }

  static async start(): Promise<CatalogServer> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new CatalogServer(server)
  }

  /** Where it stands in for each catalog. */
  get settings(): CatalogSettings {
    const bases = Object.fromEntries(NAMES.map((name) => [name, this.base(name)]))
    return CatalogSettings.parse({ ...bases, contact: 'https://panel.example/contact' })
  }

  base(name: CatalogName): string {
    return `${this.origin}/${name}`
  }

  /** Puts something under a path such as `/mojang/mc/game/version_manifest_v2.json`, and answers its address. */
  put(path: string, body: string | Buffer | object): string {
    this.#documents.set(path, bytesOf(body))
    return `${this.origin}${path}`
  }

  remove(path: string): void {
    this.#documents.delete(path)
  }

  /** Lets something answer what is asked below a path, where no document lies. */
  answerBelow(prefix: string, answerer: Answerer): void {
    this.#answerers.set(prefix, answerer)
  }

  /** Lets paths that begin so fail, so many times; the last given goes first. Answers what ends it. */
  fail(prefix: string, fault: CatalogFaultKind, times = Infinity): () => void {
    const entry = { prefix, fault, times }
    this.#faults.unshift(entry)
    return () => {
      const at = this.#faults.indexOf(entry)
      if (at >= 0) this.#faults.splice(at, 1)
    }
  }

  /** Resolves as soon as so many requests have arrived. */
  async arrived(count: number): Promise<void> {
    while (this.requests.length < count) await new Promise<void>((resolve) => this.#seen.add(resolve))
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    if (!this.#server.listening) return
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const method = request.method ?? 'GET'
    const seen: SeenRequest = { method, path, body: '', headers: request.headers, status: null }
    this.requests.push(seen)
    for (const tell of this.#seen) tell()
    this.#seen.clear()
    seen.body = await bodyOf(request)
    if (this.held) await this.held
    const { status, body } = this.#found(seen)
    const fault = this.#faultOf(path)
    response.on('finish', () => (seen.status = response.statusCode))
    if (fault?.kind === 'held') await fault.until
    else if (fault) return strike(fault, body ?? Buffer.alloc(0), response)
    const refused = refusedAs(path, request)
    if (refused !== null)
      return void response.writeHead(refused).end(JSON.stringify({ ok: false, error: 'refused' }))
    if (body === null) {
      const text = JSON.stringify({ ok: false, error: 'not_found', message: 'There is nothing here.' })
      return void response.writeHead(404, { 'content-type': 'application/json' }).end(text)
    }
    if (status !== 200) return void response.writeHead(status).end(body)
    this.#give(body, request, response)
  }

  #found({ method, path, body }: SeenRequest): { status: number; body: Buffer | null } {
    const document = this.#documents.get(path) ?? this.#documents.get(path.split('?')[0]!)
    if (document) return { status: 200, body: document }
    for (const [prefix, answerer] of this.#answerers) {
      if (!path.startsWith(prefix)) continue
      const answer = answerer({ method, url: new URL(path, this.origin), body })
      if (answer) return { status: answer.status ?? 200, body: bytesOf(answer.body) }
    }
    return { status: 404, body: null }
  }

  #give(body: Buffer, request: IncomingMessage, response: ServerResponse): void {
    const etag = tagOf(body)
    if (request.headers['if-none-match'] === etag)
      return void response.writeHead(304, { ...this.headers, etag }).end()
    const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')
    const isSame = [undefined, etag].includes(request.headers['if-range'] as string | undefined)
    const from = range && isSame ? Number(range[1]) : 0
    const headers = { ...this.headers, etag, 'accept-ranges': 'bytes' }
    if (from === 0) {
      response.writeHead(200, { ...headers, 'content-length': body.length }).end(body)
    } else if (from >= body.length) {
      response.writeHead(416, { ...headers, 'content-range': `bytes */${body.length}` }).end()
    } else {
      const told = `bytes ${from}-${body.length - 1}/${body.length}`
      response
        .writeHead(206, { ...headers, 'content-length': body.length - from, 'content-range': told })
        .end(body.subarray(from))
    }
  }

  #faultOf(path: string): CatalogFaultKind | null {
    const entry = this.#faults.find(({ prefix, times }) => times > 0 && path.startsWith(prefix))
    if (!entry) return null
    entry.times -= 1
    return entry.fault
  }
}

/** What the real ones refuse: Fabric any query, Paper and Modrinth a program that names no contact. */
function refusedAs(path: string, { headers }: IncomingMessage): number | null {
  if (path.startsWith('/fabric/') && path.includes('?')) return 400
  const namesContact = /\(\+?(https?:\/\/|[^\s@]+@)[^)]+\)/.test(headers['user-agent'] ?? '')
  return !namesContact && /^\/(paper\/v3|modrinth\/v2|hangar\/api)\//.test(path) ? 403 : null
}

function strike(
  fault: Exclude<CatalogFaultKind, { kind: 'held' }>,
  body: Buffer,
  response: ServerResponse,
): void {
  const half = body.subarray(0, Math.floor(body.length / 2))
  switch (fault.kind) {
    case 'out of reach':
      return void response.destroy()
    case 'status':
      return void response.writeHead(fault.status, fault.headers).end('{"ok":false,"error":"on purpose"}')
    case 'damaged':
      return void response.writeHead(200, { 'content-length': half.length }).end(half)
    case 'huge':
      response.writeHead(200, fault.told ? { 'content-length': fault.bytes } : {})
      return giveMany(body, fault.bytes, response)
    case 'silent':
      return
    case 'stalls':
      return void response.writeHead(200, { 'content-length': body.length }).write(half)
    case 'slow':
      response.writeHead(200, { 'content-length': body.length, etag: tagOf(body), 'accept-ranges': 'bytes' })
      return giveSlowly(body, fault.ms, response)
    case 'breaks off':
      return void response
        .writeHead(200, { 'content-length': body.length })
        .write(half, () => response.destroy())
    case 'instead':
      return void response.writeHead(200).end(fault.body)
  }
}

function giveSlowly(body: Buffer, ms: number, response: ServerResponse): void {
  const EVERY_MS = 20
  const length = Math.ceil((body.length * EVERY_MS) / ms)
  let at = 0
  const timer = setInterval(() => {
    response.write(body.subarray(at, (at += length)))
    if (at >= body.length) response.end()
  }, EVERY_MS)
  response.on('close', () => clearInterval(timer))
  response.on('finish', () => clearInterval(timer))
}

/** The right answer, and then spaces: JSON all the same. */
function giveMany(body: Buffer, bytes: number, response: ServerResponse): void {
  const piece = Buffer.alloc(64 * 1024, ' ')
  let left = bytes - body.length
  response.write(body)
  const more = () => {
    while (left > 0 && !response.destroyed) {
      const next = piece.subarray(0, Math.min(left, piece.length))
      left -= next.length
      if (!response.write(next)) return
    }
    response.end()
  }
  response.on('drain', more)
  more()
}
