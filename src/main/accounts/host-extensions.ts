import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CATALOG_ADDRESSES, type ExtensionSettings, openCatalogs } from '../../hosts/hosts.ts'
import type { Ports } from '../base/ports.ts'
import type { Requester } from '../api/requests/transport.ts'

export const HOSTS = 'hosts'

/** What programs give a panel: the catalogs, unless they are turned off. */
export const catalogsBy = (env: NodeJS.ProcessEnv): Ports['catalogs'] =>
  env['WHEELHOUSE_CATALOGS'] === 'off' ? null : CATALOG_ADDRESSES

/** For the plugins and mods of each connection's servers. All ask the same catalogs, which count requests. */
export function hostExtensions(
  { dataDir, catalogs = null }: Pick<Ports, 'dataDir' | 'catalogs'>,
  network: Requester,
) {
  const folder = join(dataDir, HOSTS)
  let opened: ReturnType<typeof openCatalogs> | null = null
  return {
    of: (connectionId: string): ExtensionSettings => ({
      folder: join(folder, connectionId),
      catalogs: () => (opened ??= openCatalogs(join(folder, 'catalogs'), catalogs, network)),
    }),
    forget: (connectionId: string): Promise<void> =>
      rm(join(folder, connectionId), { recursive: true, force: true }),
  }
}
