import { isIP, isIPv4, isIPv6 } from 'node:net'
import { isLoopback } from './host.ts'

/** Clients behind a reverse proxy we weren't configured for: one group, separate from local clients. */
export const SOME_PROXY = 'some proxy'

/** Behind a configured local proxy, the last entry of `X-Forwarded-For`: earlier ones can be forged. */
export function clientAddress(
  peer: string | undefined,
  forwarded: string | undefined,
  behindProxy: boolean,
): string {
  const address = peer ?? 'unknown'
  if (forwarded === undefined || !isLoopback(address)) return address
  if (!behindProxy) return SOME_PROXY
  const last = forwarded.split(',').at(-1)?.trim() ?? ''
  const bare = /^\[(.+)\](?::\d+)?$/.exec(last)?.[1] ?? /^([\d.]+):\d+$/.exec(last)?.[1] ?? last
  return isIP(bare) === 0 ? SOME_PROXY : bare
}

/** Rate limit group: an IPv4 address, or an IPv6 /64, since one household has a whole /64. */
export function addressGroup(address: string): string {
  if (isIPv4(address)) return address
  const bare = address.replace(/%.*$/, '')
  if (!isIPv6(bare)) return address
  const words = wordsOf(bare)
  const prefix = words
    .slice(0, 6)
    .map((word) => word.toString(16))
    .join(':')
  // IPv4-mapped (RFC 4291 §2.5.5.2) and NAT64 addresses (RFC 6052 §2.1).
  if (prefix === '0:0:0:0:0:ffff' || prefix === '64:ff9b:0:0:0:0')
    return words
      .slice(6)
      .flatMap((word) => [word >> 8, word & 0xff])
      .join('.')
  return `${words
    .slice(0, 4)
    .map((word) => word.toString(16))
    .join(':')}::/64`
}

/** IPv4 /24 or IPv6 /48: a range that one owner may have. */
export function networkOf(address: string): string {
  const group = addressGroup(address)
  if (isIPv4(group)) return `${group.split('.').slice(0, 3).join('.')}.0/24`
  return group.endsWith('::/64') ? `${group.split(':').slice(0, 3).join(':')}::/48` : group
}

function wordsOf(address: string): number[] {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
  const [head = '', tail] = hex.split('::')
  const parse = (text: string) => (text === '' ? [] : text.split(':').map((word) => parseInt(word, 16)))
  const [before, after] = [parse(head), parse(tail ?? '')]
  return tail === undefined
    ? before
    : [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}
