import type { Duplex } from 'node:stream'
import type { Client, SFTPWrapper } from 'ssh2'
import { asOneLine } from '../../contract/messages/one-line.ts'
import { refusalText } from '../../contract/messages/refusals/index.ts'
import { HostRefusal, hostRefusal } from '../base/adapter.ts'

/** Without any answer to what was asked, ms. */
const SILENT_MS = 30_000
const LOOK_MS = 5000
const TEXT_MOST = 200

type Callback<T> = (error?: Error | null, value?: T) => void

/** The line was cut, before or after the host did what was asked. */
export class LineCut extends Error {
  override name = 'LineCut'
  readonly code = 'ECONNRESET'
}

/** SFTP over one SSH connection. Throws `HostRefusal`, or `LineCut`. */
export class Session {
  readonly client: Client
  readonly sftp: SFTPWrapper
  readonly #over = new AbortController()
  readonly #look: NodeJS.Timeout
  /** Whether the host makes connections of its own; null until it was asked. */
  canTunnel: boolean | null = null
  #asked = 0
  #answeredAt = performance.now()

  /** `idleMs`: without requests it ends after so long. */
  constructor(client: Client, sftp: SFTPWrapper, idleMs = Infinity) {
    this.client = client
    this.sftp = sftp
    const end = () => this.end()
    client.on('close', end).on('error', end)
    sftp.on('close', end).on('error', end)
    this.#look = setInterval(() => {
      const quiet = performance.now() - this.#answeredAt
      if (this.#asked > 0 && quiet > SILENT_MS) this.end(hostRefusal(504, 'sftp.silent'))
      else if (this.#asked === 0 && quiet > idleMs) this.end()
    }, LOOK_MS).unref()
  }

  get isOver(): boolean {
    return this.#over.signal.aborted
  }

  end(reason: Error = new LineCut('The connection was cut.')): void {
    if (this.isOver) return
    clearInterval(this.#look)
    this.#over.abort(reason)
    this.client.destroy()
  }

  /** The answer to one request. */
  ask<T>(request: (sftp: SFTPWrapper, done: Callback<T>) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const { signal } = this.#over
      const cut = () => reject(signal.reason as Error)
      if (signal.aborted) return cut()
      signal.addEventListener('abort', cut, { once: true })
      if (this.#asked++ === 0) this.#answeredAt = performance.now()
      const done: Callback<T> = (error, value) => {
        this.#asked--
        this.#answeredAt = performance.now()
        signal.removeEventListener('abort', cut)
        if (error) reject(faultOf(error))
        else resolve(value as T)
      }
      try {
        request(this.sftp, done)
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)))
      }
    })
  }

  /** A connection from the host to a port of its own; null if it doesn't make any. */
  tunnel(port: number): Promise<Duplex | 'refused' | null> {
    return this.ask<Duplex | 'refused' | null>((_sftp, done) =>
      this.client.forwardOut('127.0.0.1', 0, '127.0.0.1', port, (error, channel) => {
        const isRefused = (error as { reason?: unknown } | undefined)?.reason === CONNECT_FAILED
        this.canTunnel = !error || isRefused
        done(null, error ? (isRefused ? 'refused' : null) : channel)
      }),
    )
  }
}

/** RFC 4254 §5.1. */
const CONNECT_FAILED = 2

export const isMissing = (error: unknown): boolean => error instanceof HostRefusal && error.status === 404
/** A file that ended before its size. */
export const isShorter = (error: unknown): boolean =>
  error instanceof HostRefusal && error.told?.sentence === 'sftp.shorter'
/** What isn't offered by this host. */
export class UnofferedRequest extends HostRefusal {
  constructor() {
    super(403, refusalText('sftp.denied'))
  }
}

/** SFTP's own codes. */
const [NO_SUCH_FILE, PERMISSION_DENIED, OP_UNSUPPORTED] = [2, 3, 8]

function faultOf(error: Error & { code?: unknown }): Error {
  if (error instanceof HostRefusal) return error
  switch (error.code) {
    case NO_SUCH_FILE:
      return hostRefusal(404, 'sftp.not-found')
    case PERMISSION_DENIED:
      return hostRefusal(403, 'sftp.denied')
    case OP_UNSUPPORTED:
      return new UnofferedRequest()
  }
  if (typeof error.code === 'number')
    return hostRefusal(409, 'sftp.said', { text: asOneLine(error.message).slice(0, TEXT_MOST) })
  if (/does not support this extended request/.test(error.message)) return new UnofferedRequest()
  return new LineCut(error.message)
}
