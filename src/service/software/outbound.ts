import { namesProxy, PastLoopback } from '../../computer/network/environment-proxy.ts'
import { SystemProxy } from '../../computer/network/system-proxy.ts'
import { Agent, type Dispatcher, EnvHttpProxyAgent, ProxyAgent } from '../../computer/network/undici.ts'

/** How long a connection may take to stand, in ms. */
const CONNECT = { connect: { timeout: 15_000 } }

/** The ways to an address, as the system of whoever started the service says: `PROXY host:8080; DIRECT`. */
export type ResolveProxy = (address: string) => Promise<string>

/**
 * What asks catalogs and fetches files: by a proxy that the environment names, where it may carry a name and a password; else as the
 * system says, where somebody can be asked; else directly. What stays on this computer goes by no proxy.
 */
export function outbound(resolve?: ResolveProxy): Dispatcher {
  const direct = new Agent(CONNECT)
  if (namesProxy(process.env)) return new PastLoopback(direct, () => new EnvHttpProxyAgent(CONNECT))
  if (!resolve) return direct
  return new SystemProxy({ direct, resolve, through: (uri) => new ProxyAgent({ ...CONNECT, uri }) })
}
