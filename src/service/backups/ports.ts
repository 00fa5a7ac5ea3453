import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { ServerChanges } from '../changes/server-changes.ts'
import type { AllServerFiles } from '../files/all-server-files.ts'
import type { ServerFolders } from '../files/server-folders.ts'
import type { Runtime } from '../runtime/types.ts'
import type { InstalledRecords } from '../software/installed.ts'
import type { BackupEngine } from '../store/backups.ts'
import type { Store } from '../store/store.ts'
import type { BackupStore } from './backup-store.ts'
import type { PauseLimits } from './pause-saving.ts'

export type BackupStores = Readonly<Partial<Record<BackupEngine, ((serverId: string) => BackupStore) | null>>>

export interface BackupPorts {
  store: Pick<Store, 'servers' | 'backups'>
  runtime: Runtime
  files: AllServerFiles
  folders: Pick<ServerFolders, 'backupsOf' | 'copiesOf'>
  records: InstalledRecords
  changes: ServerChanges
  failed(serverId: string): void
  /** Of backups at other places: some may lack what is new, or hold what was deleted. */
  copies: { wanted(serverId: string): void; unwanted(serverId: string, backupId: string): void }
  clock: Clock
  log: Logger
  stores: BackupStores
  /** Before, `stores` may lack some. Never rejects. */
  enginesKnown: Promise<void>
  pauseLimits?: PauseLimits
}
