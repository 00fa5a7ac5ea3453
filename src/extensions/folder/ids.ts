import { createHash } from 'node:crypto'
import { enabledPath, fileNameOf, type JarFile } from './jar-file.ts'
import type { Facts } from '../jars/facts.ts'

/**
 * Extensions of the same name all get ids with a file hash. So when one goes, a request with its id never hits
 * another.
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
    // A disabled file uses its whole name if an enabled one of the same name exists.
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

export const sharedId = (id: string): string => id.replace(/~[\da-f]{12}$/, '')
