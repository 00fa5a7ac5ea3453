import { Refusal } from '../../base/refusal.ts'
import { findJava, type InstalledJava } from './find-java.ts'
import type { JavaStore } from './java-store.ts'

/** A Java that is on this computer. */
export interface JavaHere {
  home: string
  major: number
  version: string
  vendor: string | null
  from: 'found' | 'fetched'
}

/** The Javas that servers can be run with. */
export interface Javas {
  /** Those that are on this computer, the newest first. */
  here(): Promise<JavaHere[]>
  /** Major versions that are downloaded where one is chosen; none where the catalog does not say so soon. */
  toFetch(signal: AbortSignal): Promise<number[]>
}

/** Somebody waits for what is here: so long the catalog may take beside that, in milliseconds. */
const CATALOGUE_MS = 3000

export function javasOf(store: Pick<JavaStore, 'list' | 'fetchable'>): Javas {
  return {
    async here() {
      const here = new Map<string, JavaHere>()
      const add = (from: JavaHere['from'], all: readonly InstalledJava[]) => {
        for (const { home, major, version, implementor: vendor } of all)
          if (!here.has(home)) here.set(home, { home, major, version, vendor, from })
      }
      add('fetched', await store.list())
      add('found', await findJava())
      return [...here.values()].sort((a, b) => b.major - a.major)
    },
    async toFetch(signal) {
      const tooLong = AbortSignal.timeout(CATALOGUE_MS)
      try {
        return await store.fetchable(AbortSignal.any([signal, tooLong]))
      } catch (error) {
        if (error instanceof Refusal || tooLong.aborted) return []
        throw error
      }
    },
  }
}
