import type { Dispatcher } from 'undici'
import { isLoopback } from './loopback.ts'
import { ProxyFault } from './proxy-fault.ts'
import { refuse, SeveralDispatchers } from './several-dispatchers.ts'

/** What the system said of an address is believed for so long, in ms: a laptop changes its network. */
const BELIEVED_MS = 30_000
/** A PAC script that takes longer, in ms, is not waited for: the address is asked for directly. */
const PATIENCE_MS = 5_000
/** Addresses whose ways are remembered, and proxies whose connections are kept. */
const ADDRESSES_MOST = 100
const PROXIES_MOST = 8

const SCHEMES: Readonly<Record<string, string>> = {
  ...{ PROXY: 'http', HTTP: 'http', HTTPS: 'https' },
  // As Chromium reads it, which answers here.
  ...{ SOCKS: 'socks4', SOCKS4: 'socks4', SOCKS5: 'socks5' },
}

/**
 * The address of the first proxy among ways as a PAC script answers them, such as `PROXY host:8080; DIRECT`; null for the direct
 * way, and where nothing is said. Throws a `ProxyFault` where ways are named and none of them can be gone: whoever set a proxy
 * does not want us to go past it.
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
    // Without its user and path, of which it has none; a scheme of which the standard knows nothing has no origin.
    if (address) return `${address.protocol}//${address.host}`
    passedOver = true
  }
  if (passedOver) throw new ProxyFault('PROXY_KIND', 'The proxy of this network is of an unknown kind.')
  return null
}

export interface SystemProxyPorts {
  direct: Dispatcher
  /** Makes what sends through a proxy. */
  through: (proxy: string) => Dispatcher
  /** The ways to an address, as the system says. */
  resolve: (address: string) => Promise<string>
}

/** Sends each request the way that the system says; what stays on this computer is asked of nobody. */
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
    // What is told to the handler from here on comes later; whoever gave up meanwhile ends it then.
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

  /** Where the system does not say, the direct way is what is left. Rejects where it names a way that we cannot go. */
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
