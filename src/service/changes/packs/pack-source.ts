import type { CatalogPackVersion } from './pack-catalog.ts'
import type { OpenedPack } from './read-pack.ts'

/** A pack that was opened, with what its catalog says of it. */
export interface OpenedSource {
  source: PackSource
  pack: OpenedPack
  version: CatalogPackVersion | null
  /** Lets go of it. */
  done(): Promise<void>
}

/** Where a pack comes from. */
export type PackSource =
  { versionId: string } | { serverId: string; path: string } | { importId: string; path: string }
