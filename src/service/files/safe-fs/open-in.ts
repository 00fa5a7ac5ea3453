import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { joined } from '../../../contract/rules/paths.ts'
import type { OpenedFolder } from './opened-folder.ts'
import type { OpenedFile, ServerFiles } from '../server-files.ts'

/** Doesn't follow links or wait for pipes. */
export const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Opens a file in an opened folder. Null if missing, not a file, or hard-linked outside. */
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
