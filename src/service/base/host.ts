import { BlockList, isIP, createServer } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Accepts IPv4-mapped IPv6. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true
  const address = host.replace(/^::ffff:(?=\d+\.)/i, '')
  const family = isIP(address)
  return family !== 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** Where this computer itself reaches what listens at `host`: wildcard addresses include loopback. */
export const reachableHere = (host: string): string =>
  isWildcard(host) ? (host === '::' ? '::1' : '127.0.0.1') : host

export const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

export const FIRST_GAME_PORT = 25565

/** First port from `first` on that is neither in `taken` nor in use on this computer. */
export async function findFreePort(
  host: string,
  taken: ReadonlySet<number>,
  first: number,
): Promise<number | null> {
  for (let port = first; port <= 65535; port++) {
    if (!taken.has(port) && (await canListen(host, port))) return port
  }
  return null
}

function canListen(host: string, port: number): Promise<boolean> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}
