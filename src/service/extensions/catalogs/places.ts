/** Where what a catalog has may lie. */
export interface Places {
  /** What people know the catalog as. */
  name: string
  hosts: readonly string[]
  /** The catalog's own address, which also has some. */
  base: string
}

/** Whether something is asked for at an address: a catalog could otherwise name what only this computer can reach. */
export function isAmong(address: string | null | undefined, { hosts, base }: Places): boolean {
  if (!address || address.length > 2000 || !URL.canParse(address)) return false
  const url = new URL(address)
  if (url.username || url.password) return false
  if (url.origin === new URL(base).origin) return true
  return url.protocol === 'https:' && url.port === '' && hosts.includes(url.hostname)
}
