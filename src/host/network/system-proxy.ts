import { ProxyFault } from './proxy-fault.ts'
import type { ProxyChoice } from './proxy-router.ts'

/** How long the system's answer is cached, in ms: laptops change networks. */
const BELIEVED_MS = 30_000
/** After this many ms without an answer, for example from a slow PAC script, connect directly. */
const PATIENCE_MS = 5_000
/** Addresses that are cached. */
const ADDRESSES_MOST = 100

const SCHEMES: Readonly<Record<string, string>> = {
  ...{ PROXY: 'http', HTTP: 'http', HTTPS: 'https' },
  // Chromium, which answers here, reads them like this.
  ...{ SOCKS: 'socks4', SOCKS4: 'socks4', SOCKS5: 'socks5' },
}

/**
 * Address of the first usable proxy in a PAC result such as `PROXY host:8080; DIRECT`; null for a direct connection or
 * an empty result. Throws a `ProxyFault` if none of the listed proxies is usable: a configured proxy must not be
 * bypassed.
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
    // Drops user and path. Schemes unknown to the URL standard have no origin.
    if (address) return `${address.protocol}//${address.host}`
    passedOver = true
  }
  if (passedOver) throw new ProxyFault('PROXY_KIND', 'The proxy of this network is of an unknown kind.')
  return null
}

/** The system's proxy, in PAC syntax. Direct if it doesn't answer; rejects if it names only unusable proxies. */
export function systemProxy(resolve: (address: string) => Promise<string>): ProxyChoice {
  const ways = new Map<string, { proxy: Promise<string | null>; at: number }>()
  async function ask(origin: string): Promise<string | null> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>((done) => (timer = setTimeout(() => done('DIRECT'), PATIENCE_MS)))
    const said = resolve(`${origin}/`).catch(() => 'DIRECT')
    return proxyAmong(await Promise.race([said, late]).finally(() => clearTimeout(timer)))
  }
  return (origin) => {
    const known = ways.get(origin)
    if (known && performance.now() - known.at < BELIEVED_MS) return known.proxy
    const proxy = ask(origin)
    ways.delete(origin)
    ways.set(origin, { proxy, at: performance.now() })
    for (const oldest of ways.keys()) if (ways.size > ADDRESSES_MOST) ways.delete(oldest)
    return proxy
  }
}
