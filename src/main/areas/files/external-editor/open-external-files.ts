import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { api } from '../../../../contract/areas/index.ts'
import type { Connections } from '../../../accounts/connections.ts'
import { waitingClient } from '../../../accounts/bare-clients.ts'
import type { PanelStorage } from '../../../panel/open-storage.ts'
import type { TransferManager } from '../../../transfers/transfers.ts'
import type { ServerTable } from '../../../views/server-table.ts'
import type { WriteSender } from '../../../views/writes.ts'
import { HANDED, ExternalFiles } from './external-files.ts'

interface OpeningDependencies extends Pick<
  PanelStorage,
  'ports' | 'former' | 'toProblem' | 'log' | 'broadcast' | 'notes' | 'forgetting'
> {
  connections: Connections
  transfers: Pick<TransferManager, 'saveHere'>
  writes: Pick<WriteSender, 'during'>
  servers: Pick<ServerTable, 'lacks'>
}

export function openExternalFiles(rooms: OpeningDependencies): ExternalFiles {
  const {
    ports,
    former,
    toProblem,
    log,
    broadcast,
    notes,
    forgetting,
    connections,
    transfers,
    writes,
    servers,
  } = rooms
  const files = new ExternalFiles({
    root: join(ports.dataDir, HANDED),
    client: waitingClient(connections),
    ...{ former, toProblem, log, now: ports.now, system: ports.systemFiles ?? null },
    isGone: ({ connectionId, serverId }) =>
      !connections.list().some(({ id }) => id === connectionId) || servers.lacks(connectionId, serverId),
    writing: (server, work) => writes.during(api.files.write, server, work),
    keepAside(file, name) {
      const stream = createReadStream(file)
      // Prevents a crash if nobody reads; readers still get the error, and nothing is removed.
      stream.on('error', () => undefined)
      return transfers.saveHere(name, stream)
    },
    note: (said) => notes.tell(said),
    tell: (all) => broadcast('external-files', all),
  })
  forgetting.onLeave((connectionId) => files.leave(connectionId))
  forgetting.add((connectionId) => files.wipe(connectionId))
  return files
}
