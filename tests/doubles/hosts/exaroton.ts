import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Answer, type DoubleServer, no, ok, routesOf } from './exaroton/routes.ts'
import { Sockets } from './exaroton/sockets.ts'
import { unlessCut } from './unless-cut.ts'

export const KEY = 'exa0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP'

const WALK = { start: [8, 6, 10, 2, 1], stop: [3, 5, 0], restart: [4, 2, 1] } as const

/** A stand-in for exaroton's API, strict where its clients take care. From their sources; nothing was tried there. */
export class Exaroton {
  readonly servers: DoubleServer[] = []
  readonly seen: { method: string; path: string; authorization: string | null; body: string }[] = []
  /** Answers instead, such as a page of what stands before it; `cut` after the request was taken. */
  instead: ((method: string, at: string) => Answer | 'cut' | undefined) | null = null
  credits: number | null = 12.5
  readonly faults: string[] = []
  readonly sockets = new Sockets(this.faults, (server) => this.#object(server))
  /** For each state that a server walks through; the next follows when it answers. */
  onState: (status: number) => void | Promise<void> = () => undefined
  readonly #http = createServer((request, response) => unlessCut(request, this.#answer(request, response)))
  readonly #routes = routesOf({
    faults: this.faults,
    object: (server) => this.#object(server),
    walk: (server, how) => void this.#walk(server, WALK[how]),
    print: (server, text) => this.print(server, text),
  })

  static async open(): Promise<Exaroton> {
    const double = new Exaroton()
    double.#http.on('upgrade', (request, socket, head) => double.#upgrade(request, socket, head))
    await new Promise<void>((resolve) => double.#http.listen(0, '127.0.0.1', resolve))
    return double
  }

  get base(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/exaroton/v1`
  }

  get lines(): Sockets['lines'] {
    return this.sockets.lines
  }

  add(folder: string, more: Partial<DoubleServer> = {}): DoubleServer {
    const server: DoubleServer = {
      ...{ id: `Srv${String(this.servers.length).padStart(13, '0')}`, name: 'survival', folder, status: 1 },
      ...{ shared: false, players: [], ram: 4, allows: () => true, version: '1.21.4', game: null },
      lists: { whitelist: [], ops: [], 'banned-players': [], 'banned-ips': [] },
      ...more,
    }
    this.servers.push(server)
    return server
  }

  count(method: string, ending: string): number {
    return this.seen.filter((one) => one.method === method && one.path.endsWith(ending)).length
  }

  /** What a server prints: for those whose stream runs, and for the first lines of the next. */
  print(server: DoubleServer, ...texts: string[]): void {
    this.sockets.print(server, ...texts)
  }

  tell(server: DoubleServer, frame: { stream?: string; type: string; data?: unknown }): void {
    this.sockets.tell(server, frame)
  }

  /** The machine behind is gone, or there again: streams end, the sockets stay. */
  disconnect(server: DoubleServer, reason: string): void {
    this.sockets.disconnect(server, reason)
  }

  enter(server: DoubleServer, status: number): void {
    server.status = status
    this.sockets.entered(server)
  }

  cut(): void {
    this.sockets.cut()
  }

  async close(): Promise<void> {
    this.sockets.close()
    this.#http.closeAllConnections()
    await new Promise<void>((resolve) => this.#http.close(() => resolve()))
  }

  async #walk(server: DoubleServer, states: readonly number[]): Promise<void> {
    for (const status of states) {
      this.enter(server, status)
      await this.onState(status)
    }
  }

  #object(server: DoubleServer) {
    const isOn = server.status === 1
    return {
      ...{ id: server.id, name: server.name, address: `${server.name}.exaroton.me`, motd: 'Hi' },
      ...{ status: server.status, host: isOn ? 'node7.exaroton.me' : null, port: isOn ? 30_123 : null },
      players: { max: 20, count: isOn ? server.players.length : 0, list: isOn ? server.players : [] },
      ...{ software: { id: 'sw1', name: 'Paper', version: server.version }, shared: server.shared },
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces)
    const { method = '', url = '' } = request
    const authorization = request.headers.authorization ?? null
    this.seen.push({ method, path: url, authorization, body: body.toString('latin1').slice(0, 10_000) })
    const at = url.replace(/^\/exaroton\/v1\//, '')
    const instead = this.instead?.(method, at)
    if (instead === 'cut') return void request.socket.destroy()
    const answer = instead ?? this.#route(request, at, body)
    const { status, headers = {}, html } = answer
    if (html !== undefined)
      return void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html)
    if (answer.body instanceof Buffer)
      return void response.writeHead(status, { 'content-type': 'application/octet-stream' }).end(answer.body)
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(answer.body))
  }

  #route(request: IncomingMessage, at: string, body: Buffer): Answer {
    if (request.headers.authorization !== `Bearer ${KEY}`) return no(401, 'Invalid API token of steve')
    if (!request.headers['user-agent']) return no(400, 'No user agent')
    if (at === 'account/')
      return ok({ name: 'steve', email: 'steve@example.com', verified: true, credits: this.credits })
    if (at === 'servers') return ok(this.servers.map((server) => this.#object(server)))
    const [, id, rest = ''] = /^servers\/([^/]+)(?:\/(.*))?$/.exec(at) ?? []
    const server = this.servers.find((one) => one.id === id)
    const [, kind = rest, name = ''] = /^(files\/(?:info|data)\/|playerlists\/)(.*)$/.exec(rest) ?? []
    const handler = this.#routes[`${request.method} ${kind}`]
    if (!server || !handler) return no(404, 'Not found')
    if (server.shared && !server.allows(rest)) return no(403, 'You do not have permission to do this')
    return handler({
      ...{ server, at: decodeURIComponent(name), body, type: request.headers['content-type'] ?? '' },
      json: () => JSON.parse(body.toString()) as Record<string, unknown>,
    })
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const authorization = request.headers.authorization ?? null
    this.seen.push({ method: 'UPGRADE', path: request.url ?? '', authorization, body: '' })
    const id = /^\/exaroton\/v1\/servers\/([^/]+)\/websocket$/.exec(request.url ?? '')?.[1]
    const server = this.servers.find((one) => one.id === id)
    const refuse = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
    if (authorization !== `Bearer ${KEY}`) return void refuse('401 Unauthorized')
    if (!server) return void refuse('404 Not Found')
    this.sockets.open(server, request, socket, head)
  }
}
