import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import {
  Agent,
  buildConnector,
  type Dispatcher,
  EnvHttpProxyAgent,
  ProxyAgent,
} from '../../computer/network/undici.ts'
import { namesProxy, PastLoopback } from '../../computer/network/environment-proxy.ts'
import { SystemProxy } from '../../computer/network/system-proxy.ts'

/** How long a connection may take to stand, in ms. */
const CONNECT_MS = 10_000
/** A service that names its own keep-alive time is believed up to this, in ms. */
const KEEP_ALIVE_MOST_MS = 60_000

/** What differs by way in. */
export interface TransportOptions {
  /** Certificate authorities to trust, PEM; Node's own and this computer's unless given. */
  ca?: string | string[]
  /**
   * Follow HTTP_PROXY, HTTPS_PROXY and NO_PROXY of the environment, except to this computer. https goes through a tunnel,
   * so a proxy never sees a token.
   */
  envProxy?: boolean
  /**
   * How the system reaches an address, as a PAC script answers. Where the environment names a proxy too, that one is meant for
   * programs started with it, and is followed.
   */
  resolveProxy?: ((address: string) => Promise<string>) | undefined
}

/** Made once and late: reading 150 certificates takes a tenth of a second on some systems. */
function truster(ca: TransportOptions['ca']): () => SecureContext {
  let made: SecureContext | undefined
  return () =>
    (made ??= createSecureContext({
      ca: ca ?? [...getCACertificates('default'), ...getCACertificates('system')],
    }))
}

/**
 * Connections kept open between calls, so that a command is one write and one read on a socket that stands already.
 * Not handed to the global fetch: Node bundles another major version of undici.
 */
export function makeDispatcher(options: TransportOptions = {}): Dispatcher {
  const trust = truster(options.ca)
  const connecting = { timeout: CONNECT_MS, allowH2: false }
  const plain = buildConnector(connecting)
  let secure: buildConnector.connector | undefined
  const agentOptions = {
    keepAliveMaxTimeout: KEEP_ALIVE_MOST_MS,
    // One event stream and a few calls per service: nothing that HTTP/2 would make faster.
    allowH2: false,
    connect: ((to, done) => {
      if (to.protocol !== 'https:') return plain(to, done)
      secure ??= buildConnector({ ...connecting, secureContext: trust() })
      secure(to, done)
    }) satisfies buildConnector.connector,
  }
  const direct = new Agent(agentOptions)
  if (options.resolveProxy && !namesProxy(process.env))
    return new SystemProxy({
      direct,
      through: (uri) => {
        const tls = { secureContext: trust() }
        return new ProxyAgent({ ...agentOptions, uri, requestTls: tls, proxyTls: tls })
      },
      resolve: options.resolveProxy,
    })
  if (!options.envProxy || !namesProxy(process.env)) return direct
  return new PastLoopback(direct, () => {
    const tls = { secureContext: trust() }
    return new EnvHttpProxyAgent({ ...agentOptions, requestTls: tls, proxyTls: tls })
  })
}
