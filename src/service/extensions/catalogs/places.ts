export interface CatalogHosts {
  name: string
  hosts: readonly string[]
  /** The catalog's own base URL, also allowed. */
  base: string
}

/** Prevents a catalog from naming addresses that only this computer can reach. */
export function isAmong(address: string | null | undefined, { hosts, base }: CatalogHosts): boolean {
  if (!address || address.length > 2000 || !URL.canParse(address)) return false
  const url = new URL(address)
  if (url.username || url.password) return false
  if (url.origin === new URL(base).origin) return true
  return url.protocol === 'https:' && url.port === '' && hosts.includes(url.hostname)
}
