import type { WantedJava } from './catalogue.ts'
import type { Downloads } from './downloads/downloads.ts'
import type { InstalledJava } from './java/find-java.ts'
import type { JavaStore } from './java/java-store.ts'

/** What was downloaded for servers, is not needed now, and can be downloaded again. Sizes in bytes. */
export interface Fetched {
  unused(needs: () => JavaNeeds): Promise<{ downloadBytes: number; javaBytes: number; javas: number[] }>
  /** Answers the bytes that became free. */
  clear(needs: () => JavaNeeds): Promise<number>
}

/** Which Javas servers are to be run with; `all`: nobody can say now, since one of them is under way with any. */
export type JavaNeeds = 'all' | readonly WantedJava[]

/** Who has asked for a download has copied it after so long, in milliseconds. */
const IN_USE_MS = 60 * 60_000

/** `found`: the Javas that others have put on this computer. */
export function fetchedFiles(
  downloads: Pick<Downloads, 'unusedBytes' | 'sweep'>,
  store: Pick<JavaStore, 'unused' | 'discard'>,
  found: () => Promise<InstalledJava[]>,
): Fetched {
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
      // A server that was made, changed or started meanwhile may need one of them.
      return freed + (await store.discard(javas, () => JSON.stringify(needs()) === before))
    },
  }
}
