import { fileNameOf, isEnabled } from './jar-file.ts'
import type { Facts } from '../jars/facts.ts'
import type { ScannedJar } from './loads.ts'

/** Paths of jars matching these names: by id or name in their descriptions, or by file name. */
export function jarsCalled(all: readonly ScannedJar[], names: readonly string[]): string[] {
  const there = all.filter(({ jar }) => !jar.waits && isEnabled(jar.path))
  const paths = names.flatMap((name) => {
    const wanted = name.toLowerCase()
    // Fall back to jars that bundle or provide a mod with that name.
    for (const namesOf of [ownNames, ({ provides }: Facts) => provides]) {
      const found = there.filter(({ jar, known }) =>
        [...fileNames(jar), ...(known.facts ?? []).flatMap(namesOf)].some(
          (one) => one.toLowerCase() === wanted,
        ),
      )
      if (found.length > 0) return found.map(({ jar }) => jar.path)
    }
    return []
  })
  return [...new Set(paths)]
}

const ownNames = ({ id, name }: Facts): string[] => [id, name]
const fileNames = (jar: ScannedJar['jar']): string[] => [jar.path.split('/').at(-1)!, fileNameOf(jar)]
