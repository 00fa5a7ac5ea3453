import { prepareFolder } from '../../computer/prepare-folder.ts'
import { FORMER } from '../areas/files/former-contents.ts'
import { SPOOL } from '../transfers/store/spool-folder.ts'

/** Makes the panel's data folder and what is in it. Throws StartProblem `folder-not-writable`. */
export const preparePanelFolder = (folder: string, more: readonly string[] = []): string =>
  prepareFolder(folder, 'cache.db', ['logs', SPOOL, FORMER, ...more])
