import { WebSocket, type RawData } from 'ws'
import { parseModest } from '../../contract/rules/json-bounds.ts'
import { JsonRpcMessage, PENDING_MOST, refusedBy, type RpcOutcome } from '../../host/management/messages.ts'

/** `mute`: the first call got no readable answer. */
export type CloseReason =
  'secret' | 'not-offered' | 'unreachable' | 'closed' | 'too-large' | 'silent' | 'mute'

interface ManagementEndpoint {
  host: '127.0.0.1' | '::1'
  port: number
  secret: string
  /** Must be one the server allows, if it checks. */
  origin: string | null
}

export interface RpcLimits {
  /** Bytes per message: 15,000 bans are about 4 MiB. */
  messageBytes: number
  /** Per second; the rest waits on the other side. */
  messagesPerSecond: number
  bytesPerSecond: number
  pending: number
  openMs: number
}

/** 15,000 bans are 120,000 values. */
const VALUES_MOST = 250_000
const DEPTH_MOST = 50

export const RPC_LIMITS: RpcLimits = {
  messageBytes: 4 * 1024 * 1024,
  messagesPerSecond: 500,
  bytesPerSecond: 16 * 1024 * 1024,
  pending: PENDING_MOST,
  openMs: 5000,
}

interface RpcEvents {
  opened(): void
  notified(method: string, params: unknown): void
  /** Called once, last. */
  ended(how: CloseReason): void
}

/** JSON-RPC 2.0 over WebSocket. */
export class RpcSocket {
  readonly #socket: WebSocket
  readonly #limits: RpcLimits
  readonly #events: RpcEvents
  readonly #pending = new Map<number, (called: RpcOutcome) => void>()
  #nextId = 1
  #ending: CloseReason = 'unreachable'
  #isOver = false
  #second = { began: 0, messages: 0, bytes: 0 }
  #resumes: NodeJS.Timeout | null = null

  constructor(place: ManagementEndpoint, events: RpcEvents, limits: RpcLimits = RPC_LIMITS) {
    const { host, port, secret, origin } = place
    this.#limits = limits
    this.#events = events
    this.#socket = new WebSocket(`ws://${host.includes(':') ? `[${host}]` : host}:${port}/`, {
      headers: { Authorization: `Bearer ${secret}` },
      ...(origin === null ? {} : { origin }),
      ...{ handshakeTimeout: limits.openMs, maxPayload: limits.messageBytes },
      ...{ perMessageDeflate: false, followRedirects: false },
    })
    this.#socket.on('open', () => {
      this.#ending = 'closed'
      if (!this.#isOver) events.opened()
    })
    this.#socket.on('message', (data, isBinary) => this.#take(data, isBinary))
    this.#socket.on('unexpected-response', (request, response) => {
      response.on('error', () => {})
      request.destroy()
      this.end(response.statusCode === 401 ? 'secret' : 'not-offered')
    })
    this.#socket.on('error', (error: Error & { code?: string }) => {
      if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') this.#ending = 'too-large'
    })
    this.#socket.on('close', () => this.end(this.#ending))
  }

  /** Disconnects if there is no answer within `ms`: later answers would be useless. */
  call(method: string, params: readonly unknown[], ms: number): Promise<RpcOutcome> {
    const isOpen = !this.#isOver && this.#socket.readyState === WebSocket.OPEN
    if (!isOpen || this.#pending.size >= this.#limits.pending) return Promise.resolve({ kind: 'unsent' })
    const id = this.#nextId++
    return new Promise((resolve) => {
      const late = setTimeout(() => this.end('silent'), ms)
      this.#pending.set(id, (called) => {
        clearTimeout(late)
        this.#pending.delete(id)
        resolve(called)
      })
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }), (error) => {
        if (error) this.end('closed')
      })
    })
  }

  /** Pending calls become `lost`. */
  end(how: CloseReason = 'closed'): void {
    if (this.#isOver) return
    this.#isOver = true
    if (this.#resumes) clearTimeout(this.#resumes)
    this.#socket.terminate()
    for (const settle of [...this.#pending.values()]) settle({ kind: 'lost' })
    this.#events.ended(how)
  }

  #take(data: RawData, isBinary: boolean): void {
    if (this.#isOver) return
    const bytes = byteCount(data)
    this.#brake(bytes)
    if (isBinary) return
    const message = parse(textOf(data))
    if (!message) return
    if ('method' in message) return this.#events.notified(message.method, message.params)
    const settle = this.#pending.get(message.id)
    if (!settle) return
    settle('error' in message ? refusedBy(message.error) : { kind: 'answered', result: message.result })
  }

  /** Pauses reading until the next second when the server sends too much. */
  #brake(bytes: number): void {
    const { messagesPerSecond, bytesPerSecond } = this.#limits
    const now = performance.now()
    if (now - this.#second.began >= 1000) this.#second = { began: now, messages: 0, bytes: 0 }
    this.#second.messages += 1
    this.#second.bytes += bytes
    const isTooMuch = this.#second.messages >= messagesPerSecond || this.#second.bytes >= bytesPerSecond
    if (!isTooMuch || this.#resumes) return
    this.#socket.pause()
    this.#resumes = setTimeout(
      () => {
        this.#resumes = null
        this.#socket.resume()
      },
      1000 - (now - this.#second.began),
    )
  }
}

function byteCount(data: RawData): number {
  if (Array.isArray(data)) return data.reduce((sum, part) => sum + part.byteLength, 0)
  return data.byteLength
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString()
  return Buffer.isBuffer(data) ? data.toString() : Buffer.from(data).toString()
}

function parse(text: string): JsonRpcMessage | null {
  try {
    return JsonRpcMessage.safeParse(parseModest(text, VALUES_MOST, DEPTH_MOST)).data ?? null
  } catch {
    return null
  }
}
