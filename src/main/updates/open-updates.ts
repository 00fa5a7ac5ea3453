import type { TransferState } from '../../contract/bridge/transfer-values.ts'
import { systemClock } from '../base/retry.ts'
import type { PanelStorage } from '../panel/open-storage.ts'
import type { TransferManager } from '../transfers/transfers.ts'
import { Updates } from './updates.ts'

/** Transfers a restart would interrupt; the others are waiting anyway. */
const GOES_ON: ReadonlySet<TransferState> = new Set(['gathering', 'waiting', 'running'])

interface UpdatesDependencies extends Pick<PanelStorage, 'ports' | 'cache' | 'broadcast' | 'log'> {
  transfers: Pick<TransferManager, 'list'>
  runningServers: () => Promise<number | null>
}

export const openUpdates = ({
  ports,
  cache,
  broadcast,
  log,
  transfers,
  runningServers,
}: UpdatesDependencies): Updates =>
  new Updates({
    ...{ version: ports.version, cache, log, clock: systemClock },
    port: ports.updates ?? { kind: 'not-here', why: 'browser' },
    tell: (now) => broadcast('updates', now),
    async running() {
      const [{ items }, servers] = await Promise.all([transfers.list(), runningServers()])
      return { transfers: items.filter(({ state }) => GOES_ON.has(state)).length, servers }
    },
  })
