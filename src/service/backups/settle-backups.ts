import { refusal } from '../../host/refusal.ts'
import type { BackupEngine, BackupRow } from '../store/backups.ts'
import type { BackupStore } from './backup-store.ts'
import type { BackupPorts } from './ports.ts'
import { trialId } from './trial/trial-server.ts'
import type { Works } from './works.ts'

type Ports = Pick<BackupPorts, 'store' | 'stores' | 'enginesKnown' | 'records' | 'log'>

/** What ran when the service was killed has failed, unless it was whole already; its leftovers go. */
export function settleBackups(ports: Ports, works: Works, tell: (serverId: string) => void): void {
  const { store, log } = ports
  const interrupted = refusal(503, 'backups.interrupted').asTold
  const unfinished = store.backups.unfinished()
  for (const row of unfinished) store.backups.put({ ...row, state: 'failed', error: interrupted })
  for (const { id } of store.servers.all())
    void works
      .now(id, { kind: 'delete', backupId: '' }, () => settleServer(ports, id, unfinished))
      .then(() => tell(id))
      .catch((error: unknown) =>
        log.warn({ err: error, serverId: id }, 'backups could not be looked through'),
      )
}

async function settleServer(ports: Ports, serverId: string, unfinished: readonly BackupRow[]): Promise<void> {
  const { stores, records, enginesKnown } = ports
  await records.forget(trialId(serverId))
  const settle = async (engine: BackupEngine) => {
    const store = stores[engine]?.(serverId)
    const isSuspect = unfinished.some((row) => row.serverId === serverId && row.engine === engine)
    if (store && (await store.sweep?.(isSuspect))) await compare(ports, { serverId, engine }, store)
  }
  await settle('archive')
  await enginesKnown
  await settle('restic')
}

async function compare(
  { store }: Ports,
  { serverId, engine }: Pick<BackupRow, 'serverId' | 'engine'>,
  backups: BackupStore,
): Promise<void> {
  const there = new Set(await backups.ids())
  for (const row of store.backups.of(serverId).filter((one) => one.engine === engine)) {
    const now = settled(row, there.delete(row.id))
    if (now !== row) store.backups.put(now)
  }
  // The database may be older than they are.
  for (const id of there) {
    const about = await backups.about?.(id)
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
