import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { WAY_KINDS, OpenToValue } from '../../contract/areas/open-to.ts'
import { isLoopback } from './host.ts'

const NETWORKS_MOST = 3

const LOOPBACK = '127.0.0.1'
const EVERYWHERE = '0.0.0.0'

/** Private and link-local ranges. */
const nearby = new BlockList()
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  // Carrier-grade NAT; also used by private networks across the internet.
  ['100.64.0.0', 10],
] as const)
  nearby.addSubnet(net, bits, 'ipv4')
nearby.addSubnet('fc00::', 7, 'ipv6')
nearby.addSubnet('fe80::', 10, 'ipv6')

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Without a setting, servers are as reachable as the service. */
export const openToOf = (openTo: OpenToValue | null, serviceHost: string): OpenToValue =>
  openTo ?? (isLoopback(serviceHost) ? 'computer' : 'network')

export function gameHost(openTo: OpenToValue | null, serviceHost: string): string {
  if (openTo === null) return serviceHost
  if (openTo === 'computer') return isLoopback(serviceHost) ? serviceHost : LOOPBACK
  return isLoopback(serviceHost) ? EVERYWHERE : serviceHost
}

type Interfaces = ReturnType<typeof networkInterfaces>

const VIRTUAL =
  /^(?:br-|docker|veth|virbr|vmnet|vboxnet|lxc|podman|cni|flannel|tun|tap|utun|wg|zt|tailscale|awdl|llw|bridge)|virtual|vmware|hyper-v|wsl|loopback/i

/** This computer's addresses, its main network first. */
export function networkAddresses(interfaces: Interfaces = networkInterfaces()): string[] {
  const all = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ family, internal, address }) => family === 'IPv4' && !internal && !isLinkLocal(address))
      .map(({ address }) => ({ address, rank: Number(VIRTUAL.test(name)) })),
  )
  return all
    .sort((one, other) => one.rank - other.rank)
    .map(({ address }) => address)
    .slice(0, NETWORKS_MOST)
}

const isLinkLocal = (address: string): boolean => address.startsWith('169.254.')

/** Null if it isn't an address. */
export function originOf(
  address: string,
  own: Interfaces = networkInterfaces(),
): (typeof WAY_KINDS)[number] | null {
  // Strip IPv6 zones and the IPv4-mapped prefix.
  const bare = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIP(bare) === 0) return null
  if (isLoopback(bare) || isOwn(bare, own)) return 'computer'
  return nearby.check(bare, familyOf(bare)) ? 'network' : 'internet'
}

const isOwn = (address: string, own: Interfaces): boolean =>
  Object.values(own).some((addresses) => addresses?.some((one) => one.address === address))
