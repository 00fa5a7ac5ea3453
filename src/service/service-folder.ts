import { prepareFolder } from '../computer/prepare-folder.ts'

/** Folders of the data folder without which the service cannot do its work. */
const FOLDERS = ['servers', 'staging', 'trash', 'console', 'run', 'logs', 'outbox']

/** Makes the service's data folder. Throws StartProblem `folder-not-writable`. */
export const prepareServiceFolder = (folder: string): string => prepareFolder(folder, 'service.db', FOLDERS)
