import { Refusal } from '../../../host/refusal.ts'
import { findJava, type InstalledJava } from './find-java.ts'
import type { JavaStore } from './java-store.ts'

interface LocalJava {
  home: string
  major: number
  version: string
  vendor: string | null
  from: 'found' | 'fetched'
}

export interface Javas {
  here(): Promise<LocalJava[]>
  /** Downloadable major versions; empty if the catalog is slow. */
  toFetch(signal: AbortSignal): Promise<number[]>
}

/** Don't delay local results longer than this, in ms. */
const CATALOG_MS = 3000

export function javasOf(store: Pick<JavaStore, 'list' | 'fetchable'>): Javas {
  return {
    async here() {
      const here = new Map<string, LocalJava>()
      const add = (from: LocalJava['from'], all: readonly InstalledJava[]) => {
        for (const { home, major, version, implementor: vendor } of all)
          if (!here.has(home)) here.set(home, { home, major, version, vendor, from })
      }
      add('fetched', await store.list())
      add('found', await findJava())
      return [...here.values()].sort((a, b) => b.major - a.major)
    },
    async toFetch(signal) {
      const tooLong = AbortSignal.timeout(CATALOG_MS)
      try {
        return await store.fetchable(AbortSignal.any([signal, tooLong]))
      } catch (error) {
        if (error instanceof Refusal || tooLong.aborted) return []
        throw error
      }
    },
  }
}
