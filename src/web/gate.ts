import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { SocketProtocol } from './message.ts'

/**
 * What a request may have: a built file (`welcome`), the page together with its key (`exchange`), the way to the page
 * (`again`), or nothing.
 */
export type Admission = 'welcome' | 'exchange' | 'again' | { refused: string }

const PROTOCOL: SocketProtocol = 'wheelhouse'

/**
 * Decides who may talk to the panel on loopback. Any program of this computer, and any web page in the same browser, can
 * reach the port. Three secrets keep them out: the one-time code lets one browser in; the cookie shows built files to that
 * browser; the page's key makes calls and brings files. Browsers send cookies to every port of a host, so that whoever
 * listens on another one is handed the cookie: alone it reaches nothing but files that everybody can download with the
 * program. The key stands in the one document that answers the code, and in what browsers keep for this port alone.
 */
export class Gate {
  /** Valid once. */
  #code: string | null
  readonly #used = Promise.withResolvers<void>()
  readonly #session = randomBytes(32).toString('base64url')
  readonly #host: string
  readonly cookieName: string
  /** What the page shows with each call. It stands in no address and in nothing the cookie can fetch. */
  readonly key = randomBytes(32).toString('base64url')
  /** Names this run, so that a page knows whether the key it has kept is of it. No secret. */
  readonly run = randomBytes(9).toString('base64url')

  /** @param port where the panel listens; part of the cookie's name, because cookies are shared across ports */
  constructor(port: number) {
    this.#code = randomBytes(24).toString('base64url')
    this.#host = `127.0.0.1:${port}`
    this.cookieName = `wheelhouse-${port}`
  }

  get origin(): string {
    return `http://${this.#host}`
  }

  /** The address that lets one browser in. */
  get address(): string {
    return `${this.origin}/?code=${this.#code ?? ''}`
  }

  /** Resolves when the code was used. */
  get used(): Promise<void> {
    return this.#used.promise
  }

  /** What is answered with the exchange of a code. */
  get cookie(): string {
    return `${this.cookieName}=${this.#session}; HttpOnly; SameSite=Strict; Path=/`
  }

  /** Checks a request for a document or a file. A code that is right is used up by this. */
  admit(request: IncomingMessage): Admission {
    const { headers, method } = request
    if (headers.host !== this.#host) return { refused: "This is not the panel's address." }
    const writes = method !== 'GET' && method !== 'HEAD'
    if (writes && !this.#mayWrite(request)) return { refused: 'Only reading is allowed here.' }
    if (headers.origin !== undefined && headers.origin !== this.origin)
      return { refused: 'This page is not allowed to read from the panel.' }
    // `//` is an address any page can ask for and none that can be read: thrown on, it would end the panel.
    const url = URL.parse(request.url ?? '/', this.origin)
    if (!url) return { refused: 'This is not a valid address.' }
    const site = headers['sec-fetch-site']
    const code = url.searchParams.get('code')
    if (code !== null && url.pathname === '/') {
      // A person follows the printed address, from a terminal or a file: any site may lead here, the code decides. What a
      // browser fetches in advance, nobody may ever see: that does not use the code up.
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

  /** Checks the upgrade to the socket: it has to come from the panel's own page, with the page's key. */
  admitSocket(request: IncomingMessage): boolean {
    const { host, origin } = request.headers
    // Pages cannot set headers of a socket but this one, and an address would be kept by the browser.
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

  /** Files are handed over by the panel's own page alone, which browsers say of every request that writes. */
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
