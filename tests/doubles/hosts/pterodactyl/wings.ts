import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { type WebSocket, WebSocketServer } from 'ws'
import type { PterodactylPanel } from './panel.ts'

const HISTORY = 150
const SOCKETS_MOST = 30

interface Line {
  socket: WebSocket
  serverId: string
  /** Null until it is authenticated. */
  until: number | null
  /** How often it may send an event at once, and since when. */
  allowed: Map<string, { left: number; at: number }>
}

/** A stand-in for Wings, the daemon of a Pterodactyl panel's machine: its sockets and its signed addresses. */
export class Wings {
  panel: PterodactylPanel | null = null
  /** What `Origin` has to be. */
  origin = ''
  uploadMostMb = 100
  /** What an archive waits for. */
  archiving: (() => Promise<void>) | null = null
  /** What a game says to a command. */
  reply = (command: string): string[] => [`heard ${command}`]
  tokenMs = 600_000
  /** Downloads in parts, as storage of the kind of S3 has them and Wings has not. */
  hasRanges = false
  /** The next file that is read or sent breaks off after so many bytes. */
  cutAfter: number | null = null
  /** Lines that were written while nobody could hear them, and all others. */
  readonly written = new Map<string, string[]>()
  readonly lines = new Set<Line>()
  /** Addresses and headers of all requests. */
  readonly heard: unknown[] = []
  readonly commands: string[] = []
  /** Signed addresses that were used again, or are none. */
  readonly faults: string[] = []
  /** What sockets sent too often. */
  readonly dropped: string[] = []
  /** Of what a socket may send, ms: twice at once, then once in so long. */
  everyMs = 5000
  readonly #tokens = new Map<string, { serverId: string; until: number }>()
  readonly #signed = new Map<string, { kind: 'download' | 'upload'; path: string }>()
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: 4096 })
  readonly #http = createServer((request, response) => this.#answer(request, response))

  static async open(): Promise<Wings> {
    const wings = new Wings()
    wings.#http.on('upgrade', (request, socket, head) => wings.#upgrade(request, socket, head))
    await new Promise<void>((resolve) => wings.#http.listen(0, '127.0.0.1', resolve))
    return wings
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  token(serverId: string): { token: string; socket: string } {
    const token = randomUUID()
    this.#tokens.set(token, { serverId, until: Date.now() + this.tokenMs })
    return { token, socket: `${this.address.replace('http', 'ws')}/api/servers/${serverId}/ws` }
  }

  download = (file: string) => this.#sign('download', file)
  upload = (folder: string) => this.#sign('upload', folder)

  /** What a server prints: heard by those who listen, and kept as Docker keeps it. */
  print(serverId: string, ...texts: string[]): void {
    const held = this.written.get(serverId) ?? []
    held.push(...texts)
    this.written.set(serverId, held)
    for (const text of texts) this.tell(serverId, 'console output', text)
  }

  tell(serverId: string, event: string, ...args: string[]): void {
    for (const line of this.lines)
      if (line.serverId === serverId && line.until !== null) {
        if (Date.now() > line.until)
          line.socket.send(JSON.stringify({ event: 'jwt error', args: ['expired'] }))
        else line.socket.send(JSON.stringify({ event, args }))
      }
  }

  power(serverId: string, signal: string): void {
    const server = this.panel!.servers.find(({ uuid }) => uuid === serverId)!
    const states =
      signal === 'start'
        ? (['starting', 'running'] as const)
        : signal === 'restart'
          ? (['stopping', 'offline', 'starting', 'running'] as const)
          : (['stopping', 'offline'] as const)
    for (const state of states) {
      server.state = state
      this.tell(serverId, 'status', state)
    }
  }

  command(serverId: string, command: string): void {
    this.commands.push(command)
    this.print(serverId, ...this.reply(command).map((text) => `[12:00:00 INFO]: ${text}`))
  }

  /** Cuts all connections. */
  cut(): void {
    for (const { socket } of this.lines) socket.terminate()
  }

  /** Connections stay open and nothing is read from them any more. */
  freeze(): void {
    for (const { socket } of this.lines) socket.pause()
  }

  async close(): Promise<void> {
    this.cut()
    this.#sockets.close()
    this.#http.closeAllConnections()
    await new Promise<void>((resolve) => this.#http.close(() => resolve()))
  }

  #sign(kind: 'download' | 'upload', at: string): string {
    const token = randomUUID()
    this.#signed.set(token, { kind, path: at })
    return `${this.address}/${kind}/file?token=${token}`
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const refuse = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
    this.heard.push([request.url, request.headers])
    const serverId = /^\/api\/servers\/([^/]+)\/ws$/.exec(request.url ?? '')?.[1]
    if (request.headers.origin !== this.origin) return void refuse('403 Forbidden')
    if (!serverId) return void refuse('404 Not Found')
    if ([...this.lines].filter((line) => line.serverId === serverId).length >= SOCKETS_MOST)
      return void refuse('400 Bad Request')
    this.#sockets.handleUpgrade(request, socket, head, (opened) => {
      const line: Line = { socket: opened, serverId, until: null, allowed: new Map() }
      this.lines.add(line)
      opened.on('close', () => this.lines.delete(line))
      opened.on('error', () => opened.terminate())
      opened.on('message', (data: Buffer) => this.#take(line, JSON.parse(data.toString()) as Message))
    })
  }

  #take(line: Line, { event, args }: Message): void {
    const send = (name: string, ...texts: string[]) =>
      line.socket.send(JSON.stringify({ event: name, args: texts }))
    if (!this.#isAllowed(line, event)) {
      this.dropped.push(event)
      return send('throttled', event)
    }
    if (event === 'auth') {
      const token = this.#tokens.get(args[0] ?? '')
      if (!token || token.serverId !== line.serverId || token.until < Date.now())
        return send('jwt error', 'invalid')
      const isFirst = line.until === null
      line.until = token.until
      send('auth success')
      if (isFirst) send('status', this.panel!.servers.find(({ uuid }) => uuid === line.serverId)!.state)
      return
    }
    if (line.until === null || line.until < Date.now()) return send('jwt error', 'jwt: exp claim is invalid')
    switch (event) {
      case 'send logs':
        for (const text of (this.written.get(line.serverId) ?? []).slice(-HISTORY))
          send('console output', text)
        return
      case 'send command':
        return this.command(line.serverId, args[0] ?? '')
      case 'set state':
        return this.power(line.serverId, args[0] ?? '')
    }
  }

  #isAllowed({ allowed }: Line, event: string): boolean {
    if (event !== 'auth' && event !== 'send logs') return true
    const { left, at } = allowed.get(event) ?? { left: 2, at: Date.now() }
    const now = Math.min(2, left + (Date.now() - at) / this.everyMs)
    allowed.set(event, { left: now < 1 ? now : now - 1, at: Date.now() })
    return now >= 1
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.heard.push([request.url, request.headers])
    const url = new URL(request.url ?? '/', this.address)
    const token = url.searchParams.get('token') ?? ''
    const held = this.#signed.get(token)
    // An address works once.
    this.#signed.delete(token)
    const kind = request.method === 'POST' ? 'upload' : 'download'
    if (held?.kind !== kind) {
      this.faults.push(`${request.method} ${url.pathname}${url.search}`)
      return void response.writeHead(403, { 'content-type': 'application/json' }).end('{}')
    }
    if (kind === 'download') return this.#send(held.path, request, response)
    const folder = path.join(held.path, url.searchParams.get('directory') ?? '/')
    const most = this.uploadMostMb * 1024 * 1024
    const form = new Busboy({ headers: request.headers as BusboyHeaders, limits: { fileSize: most + 1 } })
    let isTooLarge = false
    // A file is there once all of the form has come.
    const parts = mkdtempSync(path.join(tmpdir(), 'form-'))
    response.once('close', () => rmSync(parts, { recursive: true, force: true }))
    const writes: Promise<void>[] = []
    form.on('file', (field, file, name) => {
      if (field !== 'files') return void file.resume()
      writes.push(
        new Promise((resolve, reject) => {
          const out = createWriteStream(path.join(parts, path.basename(name)))
          file.on('limit', () => (isTooLarge = true))
          file.pipe(out).on('finish', resolve).on('error', reject)
        }),
      )
    })
    form.on('finish', () => {
      void Promise.all(writes).then(() => {
        if (!isTooLarge) {
          mkdirSync(folder, { recursive: true })
          for (const name of readdirSync(parts)) renameSync(path.join(parts, name), path.join(folder, name))
          return response.writeHead(200).end()
        }
        const text = `File is larger than the maximum file upload size of ${this.uploadMostMb} MB.`
        return response
          .writeHead(400, { 'content-type': 'application/json' })
          .end(JSON.stringify({ error: text }))
      })
    })
    form.on('error', () => response.destroy())
    let left = this.cutAfter ?? Number.POSITIVE_INFINITY
    this.cutAfter = null
    request.on('data', (piece: Buffer) => (left -= piece.length) <= 0 && request.destroy())
    request.pipe(form)
  }

  #send(file: string, { headers }: IncomingMessage, response: ServerResponse): void {
    const { size } = statSync(file)
    const from = this.hasRanges ? Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0) : 0
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': size - from,
      ...(from > 0 && { 'content-range': `bytes ${from}-${size - 1}/${size}` }),
    })
    const { cutAfter } = this
    this.cutAfter = null
    const end = cutAfter === null ? size - 1 : from + cutAfter - 1
    const sent = createReadStream(file, { start: from, end })
    sent.pipe(response, { end: cutAfter === null })
    if (cutAfter !== null)
      sent.on('end', () => response.write('', () => setTimeout(() => response.destroy(), 200)))
  }
}

interface Message {
  event: string
  args: string[]
}
