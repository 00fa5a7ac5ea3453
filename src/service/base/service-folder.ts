import { prepareFolder } from '../../host/prepare-folder.ts'

const FOLDERS = [
  ...['servers', 'staging', 'trash', 'console', 'crashes', 'run', 'imports', 'logs', 'outbox'],
  ...['backups', 'sleeping'],
  ...['software', 'software/installed', 'software/run', 'software/java', 'software/downloads'],
  ...['content', 'index', 'partial'].map((name) => `software/downloads/${name}`),
]

/** Throws StartProblem `folder-not-writable`. */
export const prepareServiceFolder = (folder: string): string => prepareFolder(folder, 'service.db', FOLDERS)
