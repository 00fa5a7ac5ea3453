import path from 'node:path'
import { prepareFolder } from '../../host/data-folder.ts'
import { type FolderLock, lockFolder, type LockOptions } from '../../host/folder-lock.ts'
import { replaceDatabase } from '../../host/replace-database.ts'

const FOLDERS = [
  ...['servers', 'staging', 'trash', 'console', 'crashes', 'run', 'imports', 'logs', 'outbox'],
  ...['backups', 'sleeping', 'contained', 'fences'],
  ...['software', 'software/installed', 'software/run', 'software/java', 'software/downloads'],
  ...['content', 'index', 'partial'].map((name) => `software/downloads/${name}`),
]

export const databaseIn = (dataDir: string): string => path.join(dataDir, 'service.db')

/** Throws StartProblem `folder-not-writable`. */
export const prepareServiceFolder = (folder: string): string => prepareFolder(folder, 'service.db', FOLDERS)

/** Throws as `lockFolder` does. */
export const lockServiceFolder = (dataDir: string, options: LockOptions = {}): Promise<FolderLock> =>
  lockFolder(dataDir, 'service', { ...options, taken: () => replaceDatabase(databaseIn(dataDir)) })
