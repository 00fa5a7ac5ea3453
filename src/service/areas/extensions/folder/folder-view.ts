import { EXTENSIONS_MOST } from '../../../../contract/areas/extensions.ts'
import type { ServerFiles } from '../../../files/server-files.ts'
import { Refusal } from '../../../base/refusal.ts'
import { markOf, type Change } from './workspace.ts'

/** A jar, where it is or will be. */
export interface JarFile {
  /** Contract path. */
  path: string
  mark: string
  size: number
  /** Where its bytes lie as long as it waits for its place: the name of what is prepared. */
  staged: string | null
  /** It is not so yet. */
  waits: boolean
  /** A link or a folder is not read. */
  isFile: boolean
}

const JAR = /\.jar(\.disabled)?$/i

export const isEnabled = (path: string): boolean => !/\.disabled$/i.test(path)
export const enabledPath = (path: string): string => path.replace(/\.disabled$/i, '')

/** The name of a jar's file, as it is when it is enabled, without its ending. */
export const fileNameOf = ({ path }: Pick<JarFile, 'path'>): string =>
  enabledPath(path)
    .split('/')
    .at(-1)!
    .replace(/\.jar$/i, '')

/** The jars of a folder by their paths, as many as are read. Empty where there is no such folder. */
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

/** The same once these changes are done. */
export function afterChanges(
  now: ReadonlyMap<string, JarFile>,
  changes: readonly Change[],
): Map<string, JarFile> {
  const jars = new Map(now)
  for (const step of changes.flatMap(({ steps }) => steps)) {
    const { mark, size } = step
    const common = { mark, size, waits: true, isFile: true, staged: null }
    switch (step.kind) {
      case 'in':
        // Of a change that is half done it may be there.
        jars.set(step.path, {
          ...common,
          path: step.path,
          staged: now.get(step.path)?.mark === mark ? null : step.staged,
        })
        break
      case 'out':
        jars.delete(step.path)
        break
      case 'move':
        jars.set(step.to, { ...common, staged: jars.get(step.from)?.staged ?? null, path: step.to })
        jars.delete(step.from)
        break
      case 'back':
        jars.set(step.path, { ...common, path: step.path })
    }
  }
  return jars
}
