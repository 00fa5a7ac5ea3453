import { type HostKind, hostKindOf } from '../contract/rules/hosts.ts'
import type { PowerLines } from '../contract/bridge/power-line-calls.ts'
import { CATALOG_ADDRESSES, type CatalogAddresses } from '../extensions/catalogs/addresses.ts'
import type { ExtensionCatalogs } from '../extensions/catalogs/extension-catalogs.ts'
import type { ConsoleMemory, HostAdapter, HostSecrets } from './base/adapter.ts'
import type { ExtensionHostPorts } from './extensions/host-extensions.ts'
import type { Dial } from '../host/network/dial.ts'
import { HostRequester, type NetworkRequester } from './base/requester.ts'

export { CATALOG_ADDRESSES, type CatalogAddresses }

export interface HostPorts {
  dispatcher: NetworkRequester
  memory: ConsoleMemory
  /** Null before there is a connection. */
  secrets: HostSecrets | null
  /** As they are now; null before there is a connection. */
  powerLines: () => Promise<PowerLines | null>
  /** As they are now. */
  choices: () => HostChoices
  /** Null: without an account of its own yet. */
  extensions: ExtensionHostPorts | null
}

/** What a person chose for a host. */
export interface HostChoices {
  /** The panel's address as its machines know it, if somebody entered one. */
  consoleOrigin?: string | undefined
  /** Commands may go to RCON without encryption. */
  plainRcon?: true | undefined
}

export interface ExtensionSettings {
  /** Of a connection, on this computer. */
  folder: string
  catalogs: () => Promise<ExtensionCatalogs | null>
}

type HostSettings = Omit<HostPorts, 'extensions'> & { extensions: ExtensionSettings | null }

/** `addresses` null: none are asked. */
export async function openCatalogs(
  folder: string,
  addresses: CatalogAddresses | null,
  network: Pick<NetworkRequester, 'request'>,
): Promise<ExtensionCatalogs | null> {
  if (!addresses) return null
  const { ExtensionCatalogs } = await import('../extensions/catalogs/extension-catalogs.ts')
  const clock = { now: Date.now, elapsed: () => performance.now() }
  const request: NetworkRequester['request'] = (asked) => network.request(asked)
  const dispatcher = { request, destroy: () => Promise.resolve() }
  return new ExtensionCatalogs(folder, addresses, clock, { dispatcher })
}

const adapters: Record<HostKind, (baseUrl: string, ports: HostPorts) => Promise<HostAdapter>> = {
  pterodactyl: async (baseUrl, ports) =>
    (await import('./pterodactyl/adapter.ts')).openAdapter(baseUrl, ports),
  exaroton: async (baseUrl, ports) => (await import('./exaroton/adapter.ts')).openAdapter(baseUrl, ports),
  sftp: async (baseUrl, ports) => (await import('./sftp/adapter.ts')).openAdapter(baseUrl, ports),
}

/** The key that a host of SFTP shows; nothing is signed in. */
export async function hostKeyOf(address: string, dial: Dial): Promise<string> {
  const [{ hostKeyAt }, { placeOf }] = await Promise.all([
    import('./sftp/host-key.ts'),
    import('./sftp/place.ts'),
  ])
  return hostKeyAt(placeOf(address), dial)
}

/** Answers a connection's requests in place of a service; null if there is one. */
export function hostRequester(baseUrl: string, settings: HostSettings): HostRequester | null {
  const kind = hostKindOf(baseUrl)
  return kind && new HostRequester(new URL(baseUrl).pathname, openAdapter(kind, baseUrl, settings))
}

async function openAdapter(kind: HostKind, baseUrl: string, settings: HostSettings): Promise<HostAdapter> {
  const { dispatcher, extensions: own } = settings
  const extensions = own && { folder: own.folder, catalogs: await own.catalogs(), dispatcher }
  return adapters[kind](baseUrl, { ...settings, extensions })
}
