import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { joined } from '../../../contract/rules/paths.ts'
import type { OpenedFolder } from './opened-folder.ts'
import type { OpenedFile, ServerFiles } from '../server-files.ts'

/** How a file is opened for reading: no link in the last step, and no waiting at a pipe. */
export const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Opens a file in an opened folder, for those that read a whole tree: the way to the folder is not gone again for each.
 * Null where it is gone, a link, no file, or somebody else's too (a hard link that leads out).
 */
export async function openIn(
  files: ServerFiles,
  folder: OpenedFolder,
  name: string,
): Promise<OpenedFile | null> {
  const path = joined(folder.path, name)
  let handle
  try {
    handle = await open(folder.at(name), READ_FLAGS)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ELOOP' || code === 'ENXIO') return null
    throw error
  }
  try {
    const stat = await handle.stat({ bigint: true })
    if (stat.isFile() && stat.nlink === 1n) return { handle, stat, path }
    await handle.close()
    return stat.isFile() ? await files.openRead(path).catch(() => null) : null
  } catch (error) {
    await handle.close()
    throw error
  }
}
