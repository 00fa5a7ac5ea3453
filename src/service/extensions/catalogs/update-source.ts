import type { CatalogVersion, ExtensionCatalog, FileHashes, Target } from './extension-catalog.ts'

/** What a catalog knows of a file, and the newest version that fits and came later; null where there is none. */
export interface KnownFile {
  current: CatalogVersion
  newest: CatalogVersion | null
}

/** What a catalog told of several files. */
export interface KnownFiles {
  /** In the order asked; null where a file is unknown, or could not be asked for. */
  items: (KnownFile | null)[]
  /** Some could not be asked for now. */
  isPartial: boolean
}

/** A catalog that tells of many files at once, in as few requests as it allows. */
export interface UpdateSource extends ExtensionCatalog {
  /** Whether it has anything for a software. */
  serves(target: Target): boolean
  /** Never rejects for a catalog that cannot be asked; with the signal's reason where nobody waits any more. */
  /** Learns of many at once; absent: it tells of one at a time. Rejects with the signal's reason alone. */
  lookAhead?(
    wanted: { projects: readonly string[]; versions: readonly string[] },
    signal: AbortSignal,
  ): Promise<void>
  updates(files: readonly FileHashes[], target: Target, signal: AbortSignal): Promise<KnownFiles>
}
