import { refusal } from '../base/refusal.ts'
import type { BackupRow } from '../store/backups.ts'
import type { BackupPorts } from './ports.ts'
import { trialId } from './trial/trial-server.ts'
import type { Works } from './works.ts'

type Ports = Pick<BackupPorts, 'store' | 'stores' | 'records' | 'log'>

/** What ran when the service was killed has failed, unless it was whole already; its leftovers go. */
export function settleBackups(ports: Ports, works: Works, tell: (serverId: string) => void): void {
  const { store, log } = ports
  const interrupted = refusal(503, 'backups.interrupted').asTold
  for (const row of store.backups.unfinished())
    store.backups.put({ ...row, state: 'failed', error: interrupted })
  for (const { id } of store.servers.all())
    void works
      .now(id, { kind: 'delete', backupId: '' }, () => settleServer(ports, id))
      .then(() => tell(id))
      .catch((error: unknown) =>
        log.warn({ err: error, serverId: id }, 'backups could not be looked through'),
      )
}

async function settleServer({ store, stores, records }: Ports, serverId: string): Promise<void> {
  await records.forget(trialId(serverId))
  const archives = stores.archive?.(serverId)
  if (!archives) return
  await archives.sweep?.()
  const there = new Set(await archives.ids())
  for (const row of store.backups.of(serverId).filter(({ engine }) => engine === 'archive')) {
    const now = settled(row, there.delete(row.id))
    if (now !== row) store.backups.put(now)
  }
  // The database may be older than they are.
  for (const id of there) {
    const about = await archives.about?.(id)
    if (about) store.backups.put({ ...found(serverId, id), ...about })
  }
}

function settled(row: BackupRow, isThere: boolean): BackupRow {
  if (isThere && row.state === 'failed') return { ...row, state: 'done', error: null }
  if (isThere || row.state !== 'done') return row
  return { ...row, state: 'failed', error: refusal(410, 'backups.gone').asTold }
}

const found = (serverId: string, id: string): Omit<BackupRow, 'createdAt' | 'addedBytes'> => ({
  ...{ id, serverId, engine: 'archive', name: null, cause: 'manual', change: null, state: 'done' },
  ...{ bytes: null, files: null, locked: false, unpaused: false, tried: null, missing: [], missingCount: 0 },
  ...{ software: null, error: null },
})
