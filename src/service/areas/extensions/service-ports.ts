import type { InstalledRecords } from '../../software/installed.ts'
import type { Javas } from '../../software/java/javas.ts'
import { javaOfServer } from '../../software/java/server-java.ts'
import type { ExtensionsPorts } from './extensions.ts'

interface Parts extends Pick<ExtensionsPorts, 'runtime' | 'store' | 'clock' | 'log'> {
  extensions?: ExtensionsPorts['catalogs']
  records: InstalledRecords
  javas?: Javas | null
}

export const servicePorts = ({
  extensions = null,
  javas = null,
  records,
  runtime,
  store,
  clock,
  log,
}: Parts): Omit<ExtensionsPorts, 'all' | 'sent'> => ({
  ...{ catalogs: extensions, runtime, store, clock, log },
  async javaOf(serverId) {
    const row = store.servers.byId(serverId)
    return row && javas ? javaOfServer(row, records, javas) : null
  },
  loadsAs: (row) => records.kindOfJar(row) ?? row.softwareId,
})
