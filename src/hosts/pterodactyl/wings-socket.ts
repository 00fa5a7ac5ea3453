import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Dial } from '../../host/network/dial.ts'
import { type HostRefusal, hostRefusal } from '../base/adapter.ts'
import { frameIn, openSocket } from '../base/socket.ts'

/** Tokens last ten minutes. */
const RENEW_MS = 8 * 60_000
/** Panels give five tokens a minute and server; one stays for another program. */
const TOKENS_MOST = 4
const TOKENS_WITHIN_MS = 60_000
/** Until Wings accepts the token, ms. */
const READY_MS = 20_000
/** A line that was cut without a word shows by an answer that doesn't come, ms. */
const PING_MS = 30_000
/** Between attempts, ms: doubled, half of it random. */
const WAITS = { first: 1000, last: 60_000 }
/** What Wings closes the socket of a suspended server with. */
const SUSPENDED = 4409

export interface SocketToken {
  token: string
  /** `wss:` at the server's machine. */
  socket: string
}

export interface WingsPorts {
  /** For tests that break more often. */
  tokensMost?: number
  pingMs?: number
  readyMs?: number
  token: (signal: AbortSignal) => Promise<SocketToken>
  dial: Dial
  /** Addresses that Wings may know the panel by, likeliest first: it compares `Origin` with them. */
  origins: (signal: AbortSignal) => AsyncIterable<string>
  /** The connection stands, and what it sends is trusted. Again, if something was not sent meanwhile. */
  onReady(): void
  onMessage(event: string, args: readonly string[]): void
  /** It is tried again; `refusal` says why it can't be had, if that is known. */
  onBreak(refusal: HostRefusal | null): void
  onSuspended(): void
}

/** A server's socket at its machine: kept open, its token renewed in time. */
export class WingsSocket {
  readonly #ports: WingsPorts
  readonly #closed = new AbortController()
  #socket: WebSocket | null = null
  /** Where that is. */
  #address = ''
  #tokens: number[] = []
  #isReady = false
  #isRenewing = false
  /** The token has ended: such errors come in place of what was to be sent. */
  #hasMissed = false
  /** The address that was accepted. */
  #origin: string | null = null

  constructor(ports: WingsPorts) {
    this.#ports = ports
    void this.#run()
  }

  /** False if there is no connection. */
  send(event: string, arg: string | null = null): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false
    this.#socket.send(JSON.stringify({ event, args: [arg] }))
    return true
  }

  /** Connects anew, to where the server is by then. */
  renew(): void {
    this.#socket?.terminate()
  }

  close(): void {
    this.#closed.abort(new Error('closed'))
    this.#socket?.terminate()
  }

  async #run(): Promise<void> {
    const { signal } = this.#closed
    for (let failures = 0; !signal.aborted;) {
      this.#isReady = false
      const refusal = await this.#stand(signal).catch((error: unknown) => error as HostRefusal)
      if (signal.aborted) return
      this.#ports.onBreak(refusal?.name === 'HostRefusal' ? refusal : null)
      // One that stood is tried again at once: how often, the tokens bound.
      failures = this.#isReady ? 0 : failures + 1
      const most = Math.min(WAITS.last, WAITS.first * 2 ** failures)
      await wait(most / 2 + (Math.random() * most) / 2, undefined, { signal }).catch(() => undefined)
    }
  }

  /** Resolves when the connection ended. Throws a `HostRefusal` if the machine says why there is none. */
  async #stand(signal: AbortSignal): Promise<HostRefusal | null> {
    const token = await this.#token(signal)
    if (this.#origin !== null) {
      const ended = await this.#standAs(this.#origin, token, signal)
      if (!isOfOrigin(ended)) return ended
      this.#origin = null
      return null
    }
    let first: HostRefusal | null = null
    for await (const origin of this.#ports.origins(signal)) {
      const ended = await this.#standAs(origin, token, signal)
      if (!isOfOrigin(ended)) return ended
      first ??= ended
    }
    return first
  }

  async #standAs(
    origin: string,
    { token, socket: address }: SocketToken,
    signal: AbortSignal,
  ): Promise<HostRefusal | null> {
    const socket = openSocket(address, this.#ports.dial, { origin })
    this.#socket = socket
    this.#address = address
    const ended = new AbortController()
    try {
      return await new Promise((resolve) => {
        socket.on('unexpected-response', (_request, answer) => {
          answer.resume()
          socket.terminate()
          resolve(refusalOf(answer.statusCode ?? 0, origin))
        })
        socket.on('close', (code) => {
          if (code === SUSPENDED) this.#ports.onSuspended()
          resolve(null)
        })
        socket.on('open', () => {
          this.#origin = origin
          socket.send(JSON.stringify({ event: 'auth', args: [token] }))
        })
        socket.on('message', (data: Buffer) => this.#take(data))
        const standing = AbortSignal.any([signal, ended.signal])
        void this.#renew(standing)
        void this.#ping(socket, standing)
        wait(this.#ports.readyMs ?? READY_MS, undefined, { signal: standing, ref: false })
          .then(() => {
            if (!this.#isReady) socket.terminate()
          })
          .catch(() => undefined)
      })
    } finally {
      ended.abort()
      this.#socket = null
    }
  }

  #take(frame: Buffer): void {
    const message = messageIn(frame)
    if (!message) return
    const { event, args } = message
    switch (event) {
      case 'auth success':
        // Comes again after each renewal.
        if (!this.#isReady || this.#hasMissed) this.#ports.onReady()
        this.#isReady = true
        this.#hasMissed = false
        return
      case 'token expiring':
        return this.#authenticate()
      case 'token expired':
      case 'jwt error':
        this.#hasMissed = true
        return this.#authenticate()
      default:
        if (this.#isReady) this.#ports.onMessage(event, args)
    }
  }

  async #ping(socket: WebSocket, signal: AbortSignal): Promise<void> {
    let hasAnswered = true
    socket.on('pong', () => (hasAnswered = true))
    while (!signal.aborted) {
      await wait(this.#ports.pingMs ?? PING_MS, undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted || socket.readyState !== WebSocket.OPEN) continue
      if (!hasAnswered) return socket.terminate()
      hasAnswered = false
      socket.ping()
    }
  }

  async #renew(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await wait(RENEW_MS, undefined, { signal, ref: false }).catch(() => undefined)
      if (!signal.aborted) this.#authenticate()
    }
  }

  /** Once at a time: some versions complain about an old token with every event. */
  #authenticate(): void {
    if (this.#isRenewing) return
    this.#isRenewing = true
    void this.#sendToken(this.#socket).finally(() => (this.#isRenewing = false))
  }

  async #sendToken(socket: WebSocket | null): Promise<void> {
    const fresh = await this.#token(this.#closed.signal).catch(() => null)
    // The server may be at another machine by now.
    if (fresh?.socket !== this.#address) return socket?.terminate()
    if (socket === this.#socket) this.send('auth', fresh.token)
  }

  async #token(signal: AbortSignal): Promise<SocketToken> {
    for (;;) {
      const now = performance.now()
      this.#tokens = this.#tokens.filter((at) => now - at < TOKENS_WITHIN_MS)
      if (this.#tokens.length < (this.#ports.tokensMost ?? TOKENS_MOST)) break
      await wait(TOKENS_WITHIN_MS - (now - this.#tokens[0]!), undefined, { signal })
    }
    this.#tokens.push(performance.now())
    return this.#ports.token(signal)
  }
}

function refusalOf(status: number, address: string): HostRefusal | null {
  if (status === 403 || status === 500) return hostRefusal(403, 'host.origin', { address })
  return status === 400 ? hostRefusal(409, 'host.sockets') : null
}

const isOfOrigin = (refusal: HostRefusal | null): refusal is HostRefusal =>
  refusal?.told?.sentence === 'host.origin'

function messageIn(frame: Buffer): { event: string; args: string[] } | null {
  const message = frameIn(frame) as { event?: unknown; args?: unknown } | null
  if (typeof message?.event !== 'string') return null
  const { event, args } = message
  const texts = Array.isArray(args) ? args.filter((arg): arg is string => typeof arg === 'string') : []
  return { event, args: texts }
}
