import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { SocketProtocol } from './message.ts'

/** A built file (`welcome`), the page with its key (`exchange`), a redirect to the page (`again`), or a refusal. */
export type Admission = 'welcome' | 'exchange' | 'again' | { refused: string }

const PROTOCOL: SocketProtocol = 'wheelhouse'

/**
 * Decides who may talk to the panel on loopback, whose port any local program and any web page can reach. Three
 * secrets: the one-time code admits one browser; the cookie gives it the built files; the page's key authorizes calls
 * and uploads. Browsers send cookies to every port of a host, so other local servers see the cookie; alone it only
 * grants files that everyone can download. The key is only in the document that answers the code and in the browser's
 * storage for this port.
 */
export class Gate {
  #code: string | null
  readonly #used = Promise.withResolvers<void>()
  readonly #session = randomBytes(32).toString('base64url')
  readonly #host: string
  readonly cookieName: string
  /** Sent with each call. Never part of an address or of anything the cookie can fetch. */
  readonly key = randomBytes(32).toString('base64url')
  /** Identifies this run, so a page can tell whether its stored key is still valid. Not secret. */
  readonly run = randomBytes(9).toString('base64url')

  /** @param port part of the cookie's name, because cookies are shared across ports */
  constructor(port: number) {
    this.#code = randomBytes(24).toString('base64url')
    this.#host = `127.0.0.1:${port}`
    this.cookieName = `wheelhouse-${port}`
  }

  get origin(): string {
    return `http://${this.#host}`
  }

  get address(): string {
    return `${this.origin}/?code=${this.#code ?? ''}`
  }

  get used(): Promise<void> {
    return this.#used.promise
  }

  get cookie(): string {
    return `${this.cookieName}=${this.#session}; HttpOnly; SameSite=Strict; Path=/`
  }

  /** Checks a request for a document or file. A correct code is consumed. */
  admit(request: IncomingMessage): Admission {
    const { headers, method } = request
    if (headers.host !== this.#host) return { refused: "This is not the panel's address." }
    const writes = method !== 'GET' && method !== 'HEAD'
    if (writes && !this.#mayWrite(request)) return { refused: 'Only reading is allowed here.' }
    if (headers.origin !== undefined && headers.origin !== this.origin)
      return { refused: 'This page is not allowed to read from the panel.' }
    // `//` can be requested but not parsed; an exception here would end the panel.
    const url = URL.parse(request.url ?? '/', this.origin)
    if (!url) return { refused: 'This is not a valid address.' }
    const site = headers['sec-fetch-site']
    const code = url.searchParams.get('code')
    if (code !== null && url.pathname === '/') {
      // Any site may link here: the code decides. A browser's prefetch must not consume it.
      const isLook = method !== 'GET' || headers['sec-purpose'] !== undefined
      if (isLook) return { refused: 'This address must be opened in a browser.' }
      if (this.#code !== null && same(code, this.#code)) {
        this.#code = null
        this.#used.resolve()
        return 'exchange'
      }
      if (this.#holdsSession(request)) return 'again'
      return { refused: 'This code has already been used. Start the panel again to get a new address.' }
    }
    if (site !== undefined && site !== 'same-origin' && !(site === 'none' && url.pathname === '/'))
      return { refused: 'Another site is not allowed to read from the panel.' }
    if (!this.#holdsSession(request))
      return { refused: 'Open the panel with the address it printed when it was started.' }
    return 'welcome'
  }

  /** Checks the socket upgrade: it must come from our own page, with its key. */
  admitSocket(request: IncomingMessage): boolean {
    const { host, origin } = request.headers
    // This is the only header pages can set on a socket, and browsers would store an address.
    const [protocol, key, ...more] = (request.headers['sec-websocket-protocol'] ?? '').split(/ *, */)
    const shown = protocol === PROTOCOL && more.length === 0 && same(key ?? '', this.key)
    const path = URL.parse(request.url ?? '/', this.origin)?.pathname
    return (
      path === '/socket' &&
      host === this.#host &&
      origin === this.origin &&
      this.#holdsSession(request) &&
      shown
    )
  }

  /** Only our own page may upload; browsers send the origin with every writing request. */
  #mayWrite({ headers, method, url }: IncomingMessage): boolean {
    const path = url ?? ''
    const known =
      (method === 'POST' && path === '/uploads') ||
      ((method === 'PUT' || method === 'DELETE') && path.startsWith('/uploads/'))
    const site = headers['sec-fetch-site']
    const shown = same(headers.authorization ?? '', `Bearer ${this.key}`)
    return known && headers.origin === this.origin && (site === undefined || site === 'same-origin') && shown
  }

  #holdsSession(request: IncomingMessage): boolean {
    const cookies = (request.headers.cookie ?? '').split(';').map((part) => part.trim().split('='))
    return cookies.some(([name, value]) => name === this.cookieName && same(value ?? '', this.#session))
  }
}

function same(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}
