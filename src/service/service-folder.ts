import { prepareFolder } from '../computer/prepare-folder.ts'

/** Makes the service's data folder. Throws StartProblem `folder-not-writable`. */
export const prepareServiceFolder = (folder: string): string =>
  prepareFolder(folder, 'service.db', ['servers', 'logs', 'outbox'])
