import { EXTENSIONS_MOST } from '../../../../contract/areas/extensions.ts'
import { isJarName, type JarFile } from '../../../../extensions/folder/jar-file.ts'
import { Refusal } from '../../../../host/refusal.ts'
import { markOf } from '../../../changes/steps.ts'
import type { ServerFiles } from '../../../files/server-files.ts'

/** Jars by path, bounded. Empty if the folder is missing. */
export async function jarsIn(files: ServerFiles, folder: string): Promise<Map<string, JarFile>> {
  const found = new Map<string, JarFile>()
  try {
    using opened = files.open(folder)
    const names = (await opened.names()).filter(isJarName).sort().slice(0, EXTENSIONS_MOST)
    for (const [at, stat] of opened.stats(names).entries()) {
      if (!stat || stat.isDirectory()) continue
      const path = `${folder}/${names[at]!}`
      const isFile = stat.isFile()
      found.set(path, { path, mark: markOf(stat), size: stat.size, staged: null, waits: false, isFile })
    }
  } catch (error) {
    if (!(error instanceof Refusal) || !['files.not-found', 'files.not-folder'].includes(error.code))
      throw error
  }
  return found
}
