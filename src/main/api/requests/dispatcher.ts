import { outgoing } from '../../../host/network/outgoing.ts'
import type { Dispatcher } from '../../../host/network/undici.ts'

const CONNECT_MS = 10_000
/** Upper limit for the service's own keep-alive time. */
const KEEP_ALIVE_MOST_MS = 60_000

export interface TransportOptions {
  /** PEM; default: Node's certificates and the system's. */
  ca?: string | string[]
  /** HTTP_PROXY, HTTPS_PROXY and NO_PROXY, except for loopback. https is tunneled: proxies never see tokens. */
  envProxy?: boolean
  /** The system's proxy for an address, in PAC syntax. Proxies in the environment take precedence. */
  resolveProxy?: ((address: string) => Promise<string>) | undefined
}

/** Not usable with the global fetch: Node bundles another major version of undici. */
export const makeDispatcher = ({ ca, envProxy = false, resolveProxy }: TransportOptions = {}): Dispatcher =>
  outgoing({
    ...{ timeout: CONNECT_MS, ca, envProxy, resolve: resolveProxy },
    // One event stream and a few calls per service gain nothing from HTTP/2.
    agent: { keepAliveMaxTimeout: KEEP_ALIVE_MOST_MS, allowH2: false },
  })
