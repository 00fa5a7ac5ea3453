import type { Socket } from 'node:net'
import { isLoopback } from './loopback.ts'
import type { ProxyChoice } from './proxy-router.ts'
import { ProxyFault } from './proxy-fault.ts'
import { isSocks, socksConnector } from './socks.ts'
import { Agent, type buildConnector } from './undici.ts'

/** Where a connection leads. */
export interface DialTarget {
  hostname: string
  port: number
  /** Whether it is encrypted, with the certificates that requests trust. */
  isSecure: boolean
}

/** Opens a connection by the way that requests take. Rejects with the network's error or a `ProxyFault`. */
export type Dial = (target: DialTarget) => Promise<Socket>

interface DialerOptions {
  timeout: number
  plain: buildConnector.connector
  secure: buildConnector.connector
  choose: ProxyChoice | null
}

export const dialer =
  ({ timeout, plain, secure, choose }: DialerOptions): Dial =>
  async ({ hostname, port, isSecure }) => {
    const name = hostname.includes(':') ? `[${hostname}]` : hostname
    const host = `${name}:${port}`
    const to = { hostname, host, port: String(port), protocol: isSecure ? 'https:' : 'http:' }
    // The proxy for encrypted connections: the only one that leads on whatever is sent.
    const proxy = choose && !isLoopback(name) ? await choose(`https://${host}`) : null
    if (proxy === null) return connected(isSecure ? secure : plain, to)
    if (isSocks(proxy)) return connected(socksConnector(proxy, { timeout, secure }), to)
    const httpSocket = await tunnel(proxy, host, { timeout, plain, secure })
    return isSecure ? connected(secure, { ...to, httpSocket }) : httpSocket
  }

const connected = (connect: buildConnector.connector, to: buildConnector.Options): Promise<Socket> =>
  new Promise((resolve, reject) =>
    connect(to, (error, socket) => {
      if (socket) resolve(socket)
      else reject(error ?? new Error('There is no connection.'))
    }),
  )

/** By CONNECT. The name and the password of the proxy go to it alone. */
async function tunnel(
  proxy: string,
  host: string,
  { timeout, plain, secure }: Pick<DialerOptions, 'timeout' | 'plain' | 'secure'>,
): Promise<Socket> {
  const { origin, username, password } = new URL(proxy)
  const agent = new Agent({ connect: (to, done) => (to.protocol === 'https:' ? secure : plain)(to, done) })
  const own = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString(
    'base64',
  )
  const headers = { host, ...(username && { 'proxy-authorization': `Basic ${own}` }) }
  try {
    const signal = AbortSignal.timeout(timeout)
    const { statusCode, socket } = await agent.connect({ origin, path: host, headers, signal })
    if (statusCode >= 200 && statusCode < 300) return socket as Socket
    socket.on('error', () => undefined).destroy()
    const code = statusCode === 407 ? 'PROXY_NAME' : 'PROXY_REFUSED'
    throw new ProxyFault(code, `The proxy answered ${statusCode}.`)
  } finally {
    // The tunnel is no longer its.
    void agent.close()
  }
}
