import type { WantedJava } from './catalog.ts'
import type { Downloads } from './downloads/downloads.ts'
import type { InstalledJava } from './java/find-java.ts'
import type { JavaStore } from './java/java-store.ts'

/** Unneeded downloads that can be downloaded again. Bytes. */
export interface DownloadCache {
  unused(needs: () => JavaNeeds): Promise<{ downloadBytes: number; javaBytes: number; javas: number[] }>
  clear(needs: () => JavaNeeds): Promise<number>
}

/** `all`: unknown, since some operation may be using any of them. */
export type JavaNeeds = 'all' | readonly WantedJava[]

/** Callers have copied a download after this time, in ms. */
const IN_USE_MS = 60 * 60_000

/** `found`: Javas installed by others. */
export function fetchedFiles(
  downloads: Pick<Downloads, 'unusedBytes' | 'sweep'>,
  store: Pick<JavaStore, 'unused' | 'discard'>,
  found: () => Promise<InstalledJava[]>,
): DownloadCache {
  const unusedJavas = async (needs: () => JavaNeeds) => {
    const others = await found()
    const now = needs()
    return now === 'all' ? [] : store.unused(now, others)
  }
  return {
    async unused(needs) {
      const [downloadBytes, javas] = await Promise.all([downloads.unusedBytes(IN_USE_MS), unusedJavas(needs)])
      const javaBytes = javas.reduce((sum, { bytes }) => sum + bytes, 0)
      return { downloadBytes, javaBytes, javas: javas.map(({ major }) => major) }
    },
    async clear(needs) {
      const before = JSON.stringify(needs())
      const freed = await downloads.sweep({ ageMs: IN_USE_MS, mostBytes: Infinity })
      const javas = await unusedJavas(needs)
      // A server created or changed meanwhile may need one.
      return freed + (await store.discard(javas, () => JSON.stringify(needs()) === before))
    },
  }
}
