import { isLoopback } from './loopback.ts'
import { ProxyFault } from './proxy-fault.ts'
import { refuse, SeveralDispatchers } from './several-dispatchers.ts'
import type { Dispatcher } from './undici.ts'

/** Proxies with open connections. */
const PROXIES_MOST = 8

/** The proxy for an origin; null for a direct connection. Rejects with a `ProxyFault`: a proxy is never bypassed. */
export type ProxyChoice = (origin: string) => Promise<string | null>

interface ProxyRouterPorts {
  direct: Dispatcher
  through: (proxy: string) => Dispatcher
  choose: ProxyChoice
}

/** Sends each request by the proxy for its origin; what is on this computer directly. */
export class ProxyRouter extends SeveralDispatchers {
  readonly #ports: ProxyRouterPorts
  readonly #proxies = new Map<string, Dispatcher>()

  constructor(ports: ProxyRouterPorts) {
    super()
    this.#ports = ports
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { direct, choose } = this.#ports
    const { origin, hostname } = new URL(options.origin ?? '')
    if (isLoopback(hostname)) return direct.dispatch(options, handler)
    // Asynchronous from here; if the caller gives up meanwhile, the handler aborts.
    void choose(origin)
      .then((proxy) => this.#by(proxy))
      .then(
        (dispatcher) => dispatcher.dispatch(options, handler),
        (fault: Error) => refuse(handler, fault),
      )
    return true
  }

  protected all(): Dispatcher[] {
    return [this.#ports.direct, ...this.#proxies.values()]
  }

  #by(proxy: string | null): Dispatcher {
    if (proxy === null) return this.#ports.direct
    const known = this.#proxies.get(proxy)
    if (known) return known
    const made = this.#made(proxy)
    this.#proxies.set(proxy, made)
    for (const [oldest, dispatcher] of this.#proxies)
      if (this.#proxies.size > PROXIES_MOST) {
        this.#proxies.delete(oldest)
        void dispatcher.close()
      }
    return made
  }

  #made(proxy: string): Dispatcher {
    try {
      return this.#ports.through(proxy)
    } catch (cause) {
      throw new ProxyFault('PROXY_KIND', 'The proxy cannot be used.', { cause })
    }
  }
}
