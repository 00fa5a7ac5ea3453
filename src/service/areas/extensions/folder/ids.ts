import { createHash } from 'node:crypto'
import { enabledPath, fileNameOf, type JarFile } from './folder-view.ts'
import type { Facts } from '../../../extensions/jars/facts.ts'

/**
 * Ids of extensions. Those that are called the same all go by their files too: once one of them is gone, its id is nobody's,
 * and who asks for it again does not mean the other.
 */
export function idsOf(all: readonly { jar: JarFile; facts: Facts | null }[], kind: string): string[] {
  const names = all.map(
    ({ jar, facts }) => `${kind}-${(facts?.id ?? fileNameOf(jar)).replaceAll(/[^\w.-]/g, '_').slice(0, 150)}`,
  )
  const counts = counted(names)
  const paths = counted(all.map(({ jar }) => enabledPath(jar.path)))
  return names.map((name, at) => {
    if (counts.get(name) === 1) return name
    const { path } = all[at]!.jar
    // Beside one that is enabled, a disabled one of the same file name goes by its whole name.
    const own = paths.get(enabledPath(path)) === 1 ? enabledPath(path) : path
    const file = createHash('sha256').update(own).digest('hex')
    return `${name}~${file.slice(0, 12)}`
  })
}

function counted(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

/** The id that one has where no other is called the same. */
export const sharedId = (id: string): string => id.replace(/~[\da-f]{12}$/, '')
