import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { type Dial, dialer } from './dial.ts'
import { environmentProxy, namesProxy } from './environment-proxy.ts'
import { type ProxyChoice, ProxyRouter } from './proxy-router.ts'
import { isSocks, socksConnector } from './socks.ts'
import { systemProxy } from './system-proxy.ts'
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from './undici.ts'

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

/** Requests, and connections of other kinds that go the same way. */
export interface OutgoingNetwork {
  dispatcher: Dispatcher
  dial: Dial
}

/** Environment's proxy, else the system's, else direct; loopback is direct. Never bypasses an unusable proxy. */
export function outgoingNetwork({
  timeout,
  ca,
  agent = {},
  envProxy,
  resolve,
}: OutgoingOptions): OutgoingNetwork {
  const trust = truster(ca)
  const connectorOf = (connecting: buildConnector.BuildOptions) => {
    let trusting: buildConnector.connector | undefined
    const secure: buildConnector.connector = (to, done) => {
      trusting ??= buildConnector({ ...connecting, secureContext: trust() })
      trusting(to, done)
    }
    return { plain: buildConnector(connecting), secure }
  }
  const { plain, secure } = connectorOf({ timeout, allowH2: agent.allowH2 ?? true })
  const options: Agent.Options = {
    ...agent,
    connect: (to, done) => (to.protocol === 'https:' ? secure : plain)(to, done),
  }
  const tls = () => ({ requestTls: { secureContext: trust() }, proxyTls: { secureContext: trust() } })
  const direct = new Agent(options)
  const choose = choiceOf(envProxy, resolve)
  const dial = dialer({ timeout, choose, ...connectorOf({ timeout, allowH2: false }) })
  if (!choose) return { dispatcher: direct, dial }
  const through = (proxy: string) =>
    isSocks(proxy)
      ? new Agent({ ...options, connect: socksConnector(proxy, { timeout, secure }) })
      : new ProxyAgent({ ...options, ...tls(), uri: proxy })
  return { dispatcher: new ProxyRouter({ direct, choose, through }), dial }
}

export const outgoing = (options: OutgoingOptions): Dispatcher => outgoingNetwork(options).dispatcher

function choiceOf(envProxy: boolean, resolve: OutgoingOptions['resolve']): ProxyChoice | null {
  if (namesProxy(process.env) && (envProxy || resolve)) return environmentProxy(process.env)
  return resolve ? systemProxy(resolve) : null
}

/** Created once and lazily: reading 150 certificates takes a tenth of a second on some systems. */
function truster(ca?: string | string[]): () => SecureContext {
  let made: SecureContext | undefined
  return () =>
    (made ??= createSecureContext({
      ca: ca ?? [...getCACertificates('default'), ...getCACertificates('system')],
    }))
}
