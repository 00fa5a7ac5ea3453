import { fileName, safeFileUrl } from '../requests/shapes.ts'
import type { RemoteFile } from '../requests/remote-file.ts'

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

/** Null if it can't be downloaded safely: people must download it by hand. */
export function remoteFile(
  { url: address, name, ...file }: Pick<RemoteFile, 'url' | 'name' | 'size' | 'checksum'>,
  places: CatalogHosts,
): RemoteFile | null {
  try {
    const url = safeFileUrl(address, places.base, places.name)
    return isAmong(url, places) ? { url, hosts: places.hosts, name: fileName(name), ...file } : null
  } catch {
    return null
  }
}
