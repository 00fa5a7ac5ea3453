import { outgoing } from '../../../host/network/outgoing.ts'
import type { Dispatcher } from '../../../host/network/undici.ts'

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

/**
 * Connections kept open between calls, so that a command is one write and one read on a socket that stands already.
 * Not handed to the global fetch: Node bundles another major version of undici.
 */
export const makeDispatcher = ({ ca, envProxy = false, resolveProxy }: TransportOptions = {}): Dispatcher =>
  outgoing({
    ...{ timeout: CONNECT_MS, ca, envProxy, resolve: resolveProxy },
    // One event stream and a few calls per service: nothing that HTTP/2 would make faster.
    agent: { keepAliveMaxTimeout: KEEP_ALIVE_MOST_MS, allowH2: false },
  })
