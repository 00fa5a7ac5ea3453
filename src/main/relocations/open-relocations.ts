import { waitingClient } from '../accounts/bare-clients.ts'
import type { Connections } from '../accounts/connections.ts'
import type { Readiness } from '../accounts/readiness.ts'
import { systemClock } from '../base/retry.ts'
import type { PanelStorage } from '../panel/open-storage.ts'
import type { TransferManager } from '../transfers/transfers.ts'
import { RelocationRecords } from './relocation-records.ts'
import { Relocations } from './relocations.ts'
import type { StagePorts } from './stages.ts'

interface RelocationParts extends Pick<
  PanelStorage,
  'cache' | 'toProblem' | 'log' | 'broadcast' | 'forgetting'
> {
  connections: Connections
  readiness: Readiness
  transfers: TransferManager
  onTransfers: StagePorts['onTransfers']
}

/** To be closed before the transfers. */
export function openRelocations(parts: RelocationParts): { relocations: Relocations } & AsyncDisposable {
  const { cache, toProblem, log, broadcast, forgetting, connections, readiness, transfers, onTransfers } =
    parts
  const relocations = new Relocations({
    ...{ log, toProblem, transfers, onTransfers, clock: systemClock },
    records: new RelocationRecords(cache),
    client: waitingClient(connections),
    isReady: (connectionId) => readiness.has(connectionId),
    tell: (now) => broadcast('relocations', now),
  })
  forgetting.onLeave((connectionId) => relocations.leave(connectionId))
  readiness.onReady(
    () =>
      void relocations.goOn().catch((error: unknown) => {
        log.warn('the moves of last time could not go on', { error })
      }),
  )
  return { relocations, [Symbol.asyncDispose]: () => relocations.leave(null) }
}
