import type { FoundOrder } from '../../../contract/areas/extensions.ts'
import type { Channel, RemoteFile } from '../../software/catalogue.ts'

/** A pack that a catalog has. Names are those of the contract. */
export interface CatalogPack {
  id: string
  name: string
  summary: string | null
  author: string | null
  downloads: number | null
  updatedAt: string | null
  createdAt: string | null
  url: string | null
  hasIcon: boolean
  categories: string[]
}

/** A version of a pack. */
export interface CatalogPackVersion {
  id: string
  project: string
  projectName: string
  name: string
  channel: Channel
  releasedAt: string | null
  minecraft: string[]
  software: string[]
  /** Null where it cannot be fetched. */
  file: RemoteFile | null
  url: string | null
}

/** What a file of a pack is called by its catalog. */
export interface CatalogFile {
  name: string
  version: string
  url: string | null
  /** As a file's address names it. */
  project: string
  /** Whether its catalog says that it is for players' games alone. */
  isClientOnly: boolean
}

/** Of which packs only are found; null: of any. */
export interface PackFilter {
  /** A version of Minecraft. */
  minecraft: string | null
  /** An id of a kind of software. */
  software: string | null
}

/** A catalog of packs. Rejects with Refusal 502/503 where it cannot be asked, and 404 where there is no such thing. */
export interface PackCatalog {
  /** Its own configured address. */
  base: string
  search(
    query: string,
    filter: PackFilter,
    page: { sort: FoundOrder; limit: number; cursor: string | null },
    signal: AbortSignal,
  ): Promise<{ items: CatalogPack[]; nextCursor: string | null }>
  /** Newest first. */
  versions(project: string, signal: AbortSignal): Promise<CatalogPackVersion[]>
  version(id: string, signal: AbortSignal): Promise<CatalogPackVersion>
  /** What files are, by their SHA-512; those that are not known are missing. */
  filesBy(hashes: readonly string[], signal: AbortSignal): Promise<Map<string, CatalogFile>>
}
