import { EXTENSIONS_MOST } from '../../../../contract/areas/extensions.ts'
import type { ServerFiles } from '../../../files/server-files.ts'
import { Refusal } from '../../../base/refusal.ts'
import { markOf } from '../../../changes/steps.ts'
import type { Change } from './workspace.ts'

export interface JarFile {
  path: string
  mark: string
  size: number
  /** File name in the workspace while it waits; null once in place. */
  staged: string | null
  waits: boolean
  /** False for links and folders, which are not read. */
  isFile: boolean
}

const JAR = /\.jar(\.disabled)?$/i

export const isEnabled = (path: string): boolean => !/\.disabled$/i.test(path)
export const enabledPath = (path: string): string => path.replace(/\.disabled$/i, '')

export const fileNameOf = ({ path }: Pick<JarFile, 'path'>): string =>
  enabledPath(path)
    .split('/')
    .at(-1)!
    .replace(/\.jar$/i, '')

/** Jars by path, bounded. Empty if the folder is missing. */
export async function jarsIn(files: ServerFiles, folder: string): Promise<Map<string, JarFile>> {
  const found = new Map<string, JarFile>()
  try {
    using opened = files.open(folder)
    const names = (await opened.names())
      .filter((name) => JAR.test(name))
      .sort()
      .slice(0, EXTENSIONS_MOST)
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

export function afterChanges(
  now: ReadonlyMap<string, JarFile>,
  changes: readonly Change[],
): Map<string, JarFile> {
  const jars = new Map(now)
  for (const { from, to, mark, size } of changes.flatMap(({ steps }) => steps)) {
    const moved = from.folder === 'server' ? jars.get(from.path) : null
    if (from.folder === 'server') jars.delete(from.path)
    if (to.folder !== 'server') continue
    // Already in place if the change is half done.
    const isStaged = from.folder === 'staged' && now.get(to.path)?.mark !== mark
    const staged = isStaged ? from.path : (moved?.staged ?? null)
    jars.set(to.path, { path: to.path, mark, size, staged, waits: true, isFile: true })
  }
  return jars
}
