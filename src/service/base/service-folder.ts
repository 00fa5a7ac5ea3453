import { prepareFolder } from '../../host/prepare-folder.ts'

/** Folders of the data folder without which the service cannot do its work, each after the one it lies in. */
const FOLDERS = [
  ...['servers', 'staging', 'trash', 'console', 'crashes', 'run', 'imports', 'logs', 'outbox'],
  ...['software', 'software/installed', 'software/run', 'software/java', 'software/downloads'],
  ...['content', 'index', 'partial'].map((name) => `software/downloads/${name}`),
]

/** Makes the service's data folder. Throws StartProblem `folder-not-writable`. */
export const prepareServiceFolder = (folder: string): string => prepareFolder(folder, 'service.db', FOLDERS)
