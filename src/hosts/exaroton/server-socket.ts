import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Dial } from '../../host/network/dial.ts'
import { type HostRefusal, hostRefusal } from '../base/adapter.ts'
import { frameIn, openSocket } from '../base/socket.ts'
import { Frame } from './answers.ts'

/** `keep-alive` comes by itself: without `ready`, and then without any frame for so long, ms, the connection is dead. */
const SILENT_MS = 60_000
/** Between attempts, ms: doubled, half of it random. Those who come back within 3 s may be blocked. */
const WAITS = { first: 6000, last: 120_000 }

interface SocketPorts {
  /** `wss:` at the origin of the API. */
  address: string
  key: string
  dial: Dial
  /** From here on something may be sent. */
  onReady(): void
  onFrame(frame: Frame): void
  /** It is tried again; `refusal` says why it can't be had, if that is known. */
  onBreak(refusal: HostRefusal | null): void
}

/** The websocket of one server, kept open. */
export class ServerSocket {
  readonly #ports: SocketPorts
  readonly #closed = new AbortController()
  #socket: WebSocket | null = null
  #isReady = false

  constructor(ports: SocketPorts) {
    this.#ports = ports
    void this.#run()
  }

  /** Sends nothing before the service is ready. */
  send(frame: { stream: string; type: string; data?: unknown }): void {
    if (this.#isReady && this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame))
  }

  close(): void {
    this.#closed.abort(new Error('closed'))
    this.#socket?.terminate()
  }

  async #run(): Promise<void> {
    const { signal } = this.#closed
    for (let failures = 0; !signal.aborted; failures++) {
      const { refusal, wasReady, waitMs } = await this.#stand()
      if (signal.aborted) return
      this.#ports.onBreak(refusal)
      if (wasReady) failures = 0
      // A refusal stays: it isn't worth a try every few seconds.
      const most = refusal ? WAITS.last : Math.min(WAITS.last, WAITS.first * 2 ** failures)
      const ms = Math.max(waitMs, most / 2 + (Math.random() * most) / 2)
      await wait(ms, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  /** Resolves when the connection ended. */
  #stand(): Promise<{ refusal: HostRefusal | null; wasReady: boolean; waitMs: number }> {
    const { address, key, dial } = this.#ports
    const socket = openSocket(address, dial, {
      headers: { authorization: `Bearer ${key}`, 'user-agent': 'Wheelhouse' },
    })
    this.#socket = socket
    const silence = setTimeout(() => socket.terminate(), SILENT_MS).unref()
    return new Promise((resolve) => {
      const end = (refusal: HostRefusal | null = null, waitMs = 0) => {
        if (this.#socket !== socket) return
        clearTimeout(silence)
        const wasReady = this.#isReady
        this.#isReady = false
        this.#socket = null
        resolve({ refusal, wasReady, waitMs })
      }
      socket.on('unexpected-response', (_request, answer) => {
        const seconds = Number(answer.headers['retry-after'])
        answer.resume()
        end(refusalOf(answer.statusCode ?? 0), Number.isFinite(seconds) ? Math.min(seconds, 3600) * 1000 : 0)
        socket.terminate()
      })
      socket.on('close', () => end())
      socket.on('message', (data: Buffer) => {
        if (this.#isReady) silence.refresh()
        const frame = Frame.safeParse(frameIn(data)).data
        if (!frame) return
        if (frame.type !== 'ready') return this.#ports.onFrame(frame)
        silence.refresh()
        this.#isReady = true
        this.#ports.onReady()
      })
    })
  }
}

function refusalOf(status: number): HostRefusal | null {
  if (status === 401 || status === 403)
    return hostRefusal(403, 'exaroton.forbidden', { text: String(status) })
  return status === 404 ? hostRefusal(404, 'exaroton.not-found') : null
}
