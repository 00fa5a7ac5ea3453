import { prepareFolder } from '../../host/prepare-folder.ts'
import { PREVIOUS_VERSIONS } from '../areas/files/previous-versions.ts'
import { UPLOAD_BUFFER } from '../transfers/store/rows.ts'

/** Creates the data folder. Throws StartProblem `folder-not-writable`. */
export const preparePanelFolder = (folder: string, more: readonly string[] = []): string =>
  prepareFolder(folder, 'cache.db', ['logs', UPLOAD_BUFFER, PREVIOUS_VERSIONS, ...more])
