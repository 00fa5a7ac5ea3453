import { parseArgs } from 'node:util'
import { defaultFolder } from '../../host/default-folder.ts'
import { takeFolderAfterUpdate } from '../updates/folder-after-update.ts'

export interface Flags {
  /** Folder of this panel's files. */
  data: string
  /** A Node executable for server software written for Node; null where there is none, as in a packaged panel. */
  node: string | null
  /** Started with the system: no window opens where the panel stays in the tray. */
  hidden: boolean
  /** Runs the service of this computer in the background, without windows. */
  service: boolean
}

/**
 * Reads our part of the command line; Chromium's switches stand among it and are left alone.
 * @param packaged whether `argv` begins with the program alone, without the project's folder
 */
export function readFlags(argv: readonly string[], packaged: boolean): Flags {
  const { values } = parseArgs({
    args: argv.slice(packaged ? 1 : 2),
    options: {
      data: { type: 'string' },
      node: { type: 'string' },
      hidden: { type: 'boolean' },
      service: { type: 'boolean' },
      updated: { type: 'boolean' },
    },
    strict: false,
    allowPositionals: true,
  })
  const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
  // Installers of Windows say so, those of macOS say nothing; neither passes the folder on. A start with one ends that note.
  const after = values.updated === true || process.platform === 'darwin' ? takeFolderAfterUpdate() : null
  return {
    data: text(values.data) ?? after ?? defaultFolder(),
    node: text(values.node),
    hidden: values.hidden === true,
    service: values.service === true,
  }
}
