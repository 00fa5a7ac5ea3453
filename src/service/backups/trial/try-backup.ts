import { isoTime } from '../../base/clock.ts'
import { refusal, Refusal } from '../../../host/refusal.ts'
import type { BackupRow, TrialRecord } from '../../store/backups.ts'
import type { BackupContents } from '../backup-store.ts'
import type { BackupPorts } from '../ports.ts'
import { startApart } from './trial-server.ts'
import type { WorkPorts } from '../works.ts'

const NAMED = 3

/** Rejects if it could not be found out. */
export async function tryBackup(
  ports: BackupPorts,
  row: BackupRow,
  store: BackupContents,
  start: boolean,
  work: WorkPorts,
): Promise<TrialRecord> {
  const at = () => isoTime(ports.clock.now())
  const total = row.bytes
  const check = await store
    .check(row.id, { signal: work.signal, progress: (done) => work.progress(done, total) })
    .catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'backups.damaged') return error
      throw error
    })
  if (check instanceof Refusal) return { at: at(), result: 'damaged', error: check.asTold }
  const { damaged } = check
  if (damaged.length > 0) {
    const paths = damaged.slice(0, NAMED).join(', ') + (damaged.length > NAMED ? ', …' : '')
    const error = refusal(409, 'backups.damaged.files', { count: damaged.length, paths }).asTold
    return { at: at(), result: 'damaged', error }
  }
  if (!start) return { at: at(), result: 'sound' }
  const started = await startApart(ports, row, store, work)
  const { result, isCutOff: cutOff } = started
  return result instanceof Refusal
    ? { at: at(), result: 'not-started', error: result.asTold, cutOff }
    : { at: at(), result: 'started', seconds: result, cutOff }
}
