import type { z } from 'zod'
import type { Backup } from '../../contract/areas/backups.ts'
import { isoTime } from '../base/clock.ts'
import type { Runtime } from '../runtime/types.ts'
import type { BackupRow } from '../store/backups.ts'
import type { Works } from './works.ts'

export type BackupView = z.input<typeof Backup>

type Catalog = Pick<Runtime, 'software'>

const softwareIn = (runtime: Catalog, { id, version }: { id: string; version: string }) => ({
  ...{ id, version, name: runtime.software(id)?.name ?? null },
})

/** By id of the backup. */
type CopiesOf = ReadonlyMap<string, BackupView['targets']>

export function backupView(row: BackupRow, runtime: Catalog, works: Works, copies: CopiesOf): BackupView {
  const { bytes, addedBytes, files, locked, unpaused, tried, missing, missingCount, software, error } = row
  return {
    ...{ id: row.id, name: row.name, cause: row.cause, change: row.change, state: row.state },
    ...{ createdAt: isoTime(row.createdAt), bytes, addedBytes, files, locked, unpaused, tried, error },
    progress: works.progressOf(row.serverId, row.id),
    ...(missingCount > 0 && { missing, missingCount }),
    software: software && softwareIn(runtime, software),
    targets: copies.get(row.id) ?? null,
  }
}
