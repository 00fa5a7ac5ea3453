import type { CatalogVersion, ExtensionCatalog, FileHashes, Target } from './extension-catalog.ts'

/** `newest`: newest matching update; null if none. */
export interface KnownFile {
  current: CatalogVersion
  newest: CatalogVersion | null
}

export interface KnownFiles {
  /** In the order asked; null if unknown or not available. */
  items: (KnownFile | null)[]
  isPartial: boolean
}

/** A catalog that can identify many files at once. */
export interface UpdateSource extends ExtensionCatalog {
  serves(target: Target): boolean
  /** Prefetches. Absent: the catalog has no bulk requests. Rejects only with the signal's reason. */
  lookAhead?(
    wanted: { projects: readonly string[]; versions: readonly string[] },
    signal: AbortSignal,
  ): Promise<void>
  updates(files: readonly FileHashes[], target: Target, signal: AbortSignal): Promise<KnownFiles>
}
