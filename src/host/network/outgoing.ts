import { namesProxy, PastLoopback } from './environment-proxy.ts'
import { isSocks, socksConnector } from './socks.ts'
import { SystemProxy } from './system-proxy.ts'
import { truster } from './trust.ts'
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, ProxyAgent } from './undici.ts'

export interface OutgoingOptions {
  /** How long a connection may take to stand, in ms. */
  timeout: number
  /** Certificate authorities to trust, PEM; Node's own and this computer's unless given. */
  ca?: string | string[] | undefined
  /** What else connections are to be like. */
  agent?: Omit<Agent.Options, 'connect' | 'factory'>
  /**
   * Follow HTTP_PROXY, HTTPS_PROXY and NO_PROXY of the environment, except to this computer. https goes through a tunnel, so a
   * proxy never sees a token.
   */
  envProxy: boolean
  /**
   * How the system reaches an address, as a PAC script answers. Where the environment names a proxy too, that one is meant for
   * programs started with it, and is followed.
   */
  resolve?: ((address: string) => Promise<string>) | undefined
}

/**
 * Sends requests out of this computer: by the proxy that the environment names, else as the system says, else directly; what stays
 * on this computer goes by no proxy. Never past a proxy that is named and cannot be used: that is an error.
 */
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
    return new PastLoopback(direct, () => new EnvHttpProxyAgent({ ...options, ...tls() }))
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
