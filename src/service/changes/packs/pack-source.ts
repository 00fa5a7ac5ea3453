import type { CatalogPackVersion } from './pack-catalog.ts'
import type { OpenedPack } from './read-pack.ts'

export interface OpenedSource {
  source: PackSource
  pack: OpenedPack
  version: CatalogPackVersion | null
  /** Closes it and removes temporary files. */
  done(): Promise<void>
}

export type PackSource =
  { versionId: string } | { serverId: string; path: string } | { importId: string; path: string }
