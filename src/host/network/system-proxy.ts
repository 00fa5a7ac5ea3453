import type { Dispatcher } from 'undici'
import { isLoopback } from './loopback.ts'
import { ProxyFault } from './proxy-fault.ts'
import { refuse, SeveralDispatchers } from './several-dispatchers.ts'

/** How long the system's answer is cached, in ms: laptops change networks. */
const BELIEVED_MS = 30_000
/** After this many ms without an answer, for example from a slow PAC script, connect directly. */
const PATIENCE_MS = 5_000
/** Cache limits: addresses, and proxies with open connections. */
const ADDRESSES_MOST = 100
const PROXIES_MOST = 8

const SCHEMES: Readonly<Record<string, string>> = {
  ...{ PROXY: 'http', HTTP: 'http', HTTPS: 'https' },
  // Chromium, which answers here, reads them like this.
  ...{ SOCKS: 'socks4', SOCKS4: 'socks4', SOCKS5: 'socks5' },
}

/**
 * Address of the first usable proxy in a PAC result such as `PROXY host:8080; DIRECT`; null for a direct connection or
 * an empty result. Throws a `ProxyFault` if none of the listed proxies is usable: a configured proxy must not be
 * bypassed.
 */
export function proxyAmong(ways: string): string | null {
  let passedOver = false
  for (const way of ways.slice(0, 2000).split(';')) {
    const [kind = '', where = '', ...more] = way.trim().split(/\s+/)
    if (kind === '') continue
    if (kind.toUpperCase() === 'DIRECT') return null
    const scheme = SCHEMES[kind.toUpperCase()]
    const isPlace = scheme !== undefined && more.length === 0 && /^[^/@?#\\]+$/.test(where)
    const address = isPlace ? URL.parse(`${scheme}://${where}`) : null
    // Drops user and path. Schemes unknown to the URL standard have no origin.
    if (address) return `${address.protocol}//${address.host}`
    passedOver = true
  }
  if (passedOver) throw new ProxyFault('PROXY_KIND', 'The proxy of this network is of an unknown kind.')
  return null
}

interface SystemProxyPorts {
  direct: Dispatcher
  through: (proxy: string) => Dispatcher
  resolve: (address: string) => Promise<string>
}

export class SystemProxy extends SeveralDispatchers {
  readonly #ports: SystemProxyPorts
  readonly #ways = new Map<string, { proxy: Promise<string | null>; at: number }>()
  readonly #proxies = new Map<string, Dispatcher>()

  constructor(ports: SystemProxyPorts) {
    super()
    this.#ports = ports
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { direct } = this.#ports
    const { origin, hostname } = new URL(options.origin ?? '')
    if (isLoopback(hostname)) return direct.dispatch(options, handler)
    // Asynchronous from here; if the caller gives up meanwhile, the handler aborts.
    void this.#wayTo(origin).then(
      (proxy) => this.#by(proxy).dispatch(options, handler),
      (fault: Error) => refuse(handler, fault),
    )
    return true
  }

  protected all(): Dispatcher[] {
    return [this.#ports.direct, ...this.#proxies.values()]
  }

  #wayTo(origin: string): Promise<string | null> {
    const known = this.#ways.get(origin)
    if (known && performance.now() - known.at < BELIEVED_MS) return known.proxy
    const proxy = this.#ask(origin)
    this.#ways.delete(origin)
    this.#ways.set(origin, { proxy, at: performance.now() })
    for (const oldest of this.#ways.keys()) if (this.#ways.size > ADDRESSES_MOST) this.#ways.delete(oldest)
    return proxy
  }

  /** Falls back to a direct connection if the system doesn't answer. Rejects if it names only unusable proxies. */
  async #ask(origin: string): Promise<string | null> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>((resolve) => (timer = setTimeout(() => resolve('DIRECT'), PATIENCE_MS)))
    const said = this.#ports.resolve(`${origin}/`).catch(() => 'DIRECT')
    return proxyAmong(await Promise.race([said, late]).finally(() => clearTimeout(timer)))
  }

  #by(proxy: string | null): Dispatcher {
    if (proxy === null) return this.#ports.direct
    const known = this.#proxies.get(proxy)
    if (known) return known
    const made = this.#ports.through(proxy)
    this.#proxies.set(proxy, made)
    for (const [oldest, dispatcher] of this.#proxies)
      if (this.#proxies.size > PROXIES_MOST) {
        this.#proxies.delete(oldest)
        void dispatcher.close()
      }
    return made
  }
}
