import { isEnabled, type JarFile } from './folder-view.ts'
import type { Loads } from './loads.ts'
import type { KnownJar } from './workspace.ts'

export interface ScannedJar {
  jar: JarFile
  known: KnownJar
}

/** Facts in the first format the software loads, else any. */
export function asLoaded({ jar, known }: ScannedJar, { formats }: Loads) {
  const facts = formats.flatMap((of) => known.facts?.find(({ format }) => format === of) ?? [])[0]
  return {
    ...{ jar, known, facts: facts ?? known.facts?.[0] ?? null },
    ...{ enabled: isEnabled(jar.path), isPlain: known.facts !== null, broken: known.broken ?? null },
    fault: known.fault ?? null,
    ...{ file: jar.path.split('/').at(-1)!, why: jar.isFile ? (known.why ?? null) : ('not-file' as const) },
  }
}
