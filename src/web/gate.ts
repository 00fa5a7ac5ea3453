import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** How a request may come in: a document or a file, or the socket's upgrade. */
export type Admission = 'welcome' | 'exchange' | { refused: string }

/**
 * Decides who may talk to the panel on loopback. Any program of this user, and any web page in the same browser, can
 * reach the port: the one-time code, the cookie, and the checks of Host, Origin and Sec-Fetch-Site keep them out.
 */
export class Gate {
  /** Valid once. A new one is made by `renewCode`. */
  #code: string | null
  readonly #session = randomBytes(32).toString('base64url')
  readonly #host: string
  readonly cookieName: string

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

  /** What is answered with the exchange of a code. */
  get cookie(): string {
    return `${this.cookieName}=${this.#session}; HttpOnly; SameSite=Strict; Path=/`
  }

  /** Checks a request for a document or a file. A code that is right is used up by this. */
  admit(request: IncomingMessage): Admission {
    const { headers, method } = request
    if (headers.host !== this.#host) return { refused: 'This address is not the panel.' }
    const writes = method !== 'GET' && method !== 'HEAD'
    if (writes && !this.#mayWrite(request)) return { refused: 'Only reading is possible here.' }
    if (headers.origin !== undefined && headers.origin !== this.origin)
      return { refused: 'This page may not read from the panel.' }
    // `//` is an address any page can ask for and none that can be read: thrown on, it would end the panel.
    const url = URL.parse(request.url ?? '/', this.origin)
    if (!url) return { refused: 'This is no address.' }
    const site = headers['sec-fetch-site']
    const code = url.searchParams.get('code')
    if (code !== null && url.pathname === '/') {
      // A person follows the printed address, from a terminal or a link: any site may lead here, the code decides.
      if (this.#code !== null && same(code, this.#code)) {
        this.#code = null
        return 'exchange'
      }
      if (this.#holdsSession(request)) return 'exchange'
      return { refused: 'This code was used already. Start the panel again to get a new address.' }
    }
    if (site !== undefined && site !== 'same-origin' && !(site === 'none' && url.pathname === '/'))
      return { refused: 'Another site may not read from the panel.' }
    if (!this.#holdsSession(request))
      return { refused: 'Open the panel with the address it printed when it was started.' }
    return 'welcome'
  }

  /** Checks the upgrade to the socket: it has to come from the panel's own page. */
  admitSocket(request: IncomingMessage): boolean {
    const { host, origin } = request.headers
    return host === this.#host && origin === this.origin && this.#holdsSession(request)
  }

  /** Files are handed over by the panel's own page alone, which browsers say of every request that writes. */
  #mayWrite({ headers, method, url }: IncomingMessage): boolean {
    const path = url ?? ''
    const known =
      (method === 'POST' && path === '/uploads') ||
      ((method === 'PUT' || method === 'DELETE') && path.startsWith('/uploads/'))
    const site = headers['sec-fetch-site']
    return known && headers.origin === this.origin && (site === undefined || site === 'same-origin')
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
