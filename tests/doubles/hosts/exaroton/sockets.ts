import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { DoubleServer } from './routes.ts'

interface Line {
  socket: WebSocket
  server: DoubleServer
  streams: Set<string>
}

interface Frame {
  stream?: string
  type: string
  data?: unknown
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

const STREAMS: Record<string, readonly number[]> = {
  console: [1, 2, 3, 4],
  tick: [1],
  stats: [1],
  heap: [1],
  management: [1],
}

/** The websockets of all servers, with their streams. */
export class Sockets {
  readonly lines = new Set<Line>()
  /** `ready` is held back until it is called. */
  holdReady = false
  readonly #tails = new Map<string, string[]>()
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 })
  readonly #faults: string[]
  readonly #object: (server: DoubleServer) => unknown

  constructor(faults: string[], object: (server: DoubleServer) => unknown) {
    this.#faults = faults
    this.#object = object
  }

  print(server: DoubleServer, ...texts: string[]): void {
    const held = this.#tails.get(server.id) ?? []
    held.push(...texts)
    this.#tails.set(server.id, held)
    for (const text of texts) this.tell(server, { stream: 'console', type: 'line', data: `${text}\r` })
  }

  tell(server: DoubleServer, frame: Frame): void {
    const { stream } = frame
    for (const line of this.lines)
      if (line.server === server && (!stream || stream === 'status' || line.streams.has(stream)))
        line.socket.send(JSON.stringify(frame))
  }

  disconnect(server: DoubleServer, reason: string): void {
    for (const line of this.lines) if (line.server === server) line.streams.clear()
    this.tell(server, { type: 'disconnected', data: reason })
  }

  entered(server: DoubleServer): void {
    const { status } = server
    // Each run has a console of its own.
    if (status === 2) this.#tails.set(server.id, [])
    for (const line of this.lines)
      if (line.server === server)
        for (const stream of line.streams) if (!STREAMS[stream]?.includes(status)) line.streams.delete(stream)
    this.tell(server, { stream: 'status', type: 'status', data: this.#object(server) })
  }

  cut(): void {
    for (const { socket } of this.lines) socket.terminate()
  }

  close(): void {
    this.cut()
    this.#sockets.close()
  }

  open(server: DoubleServer, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#sockets.handleUpgrade(request, socket, head, (opened) => {
      const line: Line = { socket: opened, server, streams: new Set() }
      let isReady = false
      opened.on('close', () => this.lines.delete(line))
      opened.on('error', () => opened.terminate())
      opened.on('message', (data: Buffer) => {
        if (!isReady) return void this.#faults.push(`before ready: ${data.toString()}`)
        this.#take(line, JSON.parse(data.toString()) as Frame)
      })
      this.lines.add(line)
      if (this.holdReady) return
      isReady = true
      const send = (frame: Frame) => opened.send(JSON.stringify(frame))
      send({ type: 'ready', data: server.id })
      send({ stream: 'status', type: 'status', data: this.#object(server) })
      send({ type: 'keep-alive' })
    })
  }

  #take({ socket, server, streams }: Line, frame: Frame): void {
    const { stream = '', type } = frame
    const send = (sent: Frame) => socket.send(JSON.stringify(sent))
    const fits = STREAMS[stream]
    if (stream === 'management' && type === 'request')
      return this.#manage(socket, server, streams, frame.data)
    if (!fits || (type !== 'start' && type !== 'stop')) return void this.#faults.push(JSON.stringify(frame))
    if (type === 'stop') return void streams.delete(stream)
    // What becomes of it at a game without the protocol was not to be read.
    if (stream === 'management' && !server.game) return void this.#faults.push('no management')
    if (!fits.includes(server.status)) {
      this.#faults.push(`${stream} in ${server.status}`)
      return send({ type: 'disconnected', data: 'invalid-status' })
    }
    if (streams.has(stream)) this.#faults.push(`${stream} twice`)
    streams.add(stream)
    send({ stream, type: 'started' })
    const memory = { percent: 25, usage: 1_073_741_824 }
    if (stream === 'stats') send({ stream, type: 'stats', data: { memory } })
    const { tail = 0 } = (frame.data ?? {}) as { tail?: number }
    if (stream !== 'console' || tail === 0) return
    for (const text of (this.#tails.get(server.id) ?? []).slice(-tail))
      send({ stream, type: 'line', data: `${text}\r` })
  }

  /** As the client hands it to `mc-server-management`. */
  #manage(socket: WebSocket, { game }: DoubleServer, streams: Set<string>, data: unknown): void {
    const { id, method, params } = data as { id: string; method: string; params: unknown }
    if (!game || !streams.has('management') || !UUID.test(id))
      return void this.#faults.push(`asked: ${JSON.stringify(data)}`)
    const fault = game.faults.get(method)
    if (fault === 'silent') return void game.calls.push({ method, params })
    const answer = game.answer(method, params)
    if (fault === 'closes-after') return socket.terminate()
    const called =
      'result' in answer ? { success: true, data: answer.result } : { success: false, error: answer.error }
    const told = fault === 'garbage' ? 'what?' : called
    socket.send(JSON.stringify({ stream: 'management', type: 'response', data: { id, data: told } }))
  }
}
