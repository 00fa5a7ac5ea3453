import type { Change } from './change.ts'

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

export const isJarName = (name: string): boolean => JAR.test(name)

export const isEnabled = (path: string): boolean => !/\.disabled$/i.test(path)
export const enabledPath = (path: string): string => path.replace(/\.disabled$/i, '')

export const fileNameOf = ({ path }: Pick<JarFile, 'path'>): string =>
  enabledPath(path)
    .split('/')
    .at(-1)!
    .replace(/\.jar$/i, '')

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

interface Jar {
  jar: { path: string }
}

/** Sorts by name, ignoring case, then by path. */
export const byName =
  <J extends Jar>(nameOf: (one: J) => string) =>
  (a: J, b: J): number => {
    const [one, other] = [nameOf(a).toLowerCase(), nameOf(b).toLowerCase()]
    if (one === other) return a.jar.path < b.jar.path ? -1 : 1
    return one < other ? -1 : 1
  }
