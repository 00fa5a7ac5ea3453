import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { namesProxy, LoopbackBypass } from './environment-proxy.ts'
import { isSocks, socksConnector } from './socks.ts'
import { SystemProxy } from './system-proxy.ts'
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, ProxyAgent } from './undici.ts'

interface OutgoingOptions {
  timeout: number
  /** Certificate authorities to trust, PEM; by default Node's and the system's. */
  ca?: string | string[] | undefined
  agent?: Omit<Agent.Options, 'connect' | 'factory'>
  /** HTTP_PROXY, HTTPS_PROXY and NO_PROXY, except for loopback. https is tunneled: a proxy never sees a token. */
  envProxy: boolean
  /** The system's proxy for an address, in PAC syntax. Environment proxies take precedence. */
  resolve?: ((address: string) => Promise<string>) | undefined
}

/** Environment's proxy, else the system's, else direct; loopback is direct. Never bypasses an unusable proxy. */
export function outgoing({ timeout, ca, agent = {}, envProxy, resolve }: OutgoingOptions): Dispatcher {
  const trust = truster(ca)
  const connecting = { timeout, allowH2: agent.allowH2 ?? true }
  const plain = buildConnector(connecting)
  let trusting: buildConnector.connector | undefined
  const secure: buildConnector.connector = (to, done) => {
    trusting ??= buildConnector({ ...connecting, secureContext: trust() })
    trusting(to, done)
  }
  const options: Agent.Options = {
    ...agent,
    connect: (to, done) => (to.protocol === 'https:' ? secure : plain)(to, done),
  }
  const tls = () => ({ requestTls: { secureContext: trust() }, proxyTls: { secureContext: trust() } })
  const direct = new Agent(options)
  if (namesProxy(process.env) && (envProxy || resolve))
    return new LoopbackBypass(direct, () => new EnvHttpProxyAgent({ ...options, ...tls() }))
  if (!resolve) return direct
  return new SystemProxy({
    direct,
    resolve,
    through: (proxy) =>
      isSocks(proxy)
        ? new Agent({ ...options, connect: socksConnector(proxy, { timeout, secure }) })
        : new ProxyAgent({ ...options, ...tls(), uri: proxy }),
  })
}

/** Created once and lazily: reading 150 certificates takes a tenth of a second on some systems. */
function truster(ca?: string | string[]): () => SecureContext {
  let made: SecureContext | undefined
  return () =>
    (made ??= createSecureContext({
      ca: ca ?? [...getCACertificates('default'), ...getCACertificates('system')],
    }))
}
