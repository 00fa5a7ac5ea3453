import type { SearchOrder } from '../../contract/areas/extensions.ts'
import type { FoundProject } from './extension-catalog.ts'
import type { Channel, RemoteFile } from '../requests/remote-file.ts'

export type CatalogPack = Omit<FoundProject, 'catalog'>

export interface CatalogPackVersion {
  id: string
  project: string
  projectName: string
  name: string
  channel: Channel
  releasedAt: string | null
  minecraft: string[]
  software: string[]
  file: RemoteFile | null
  url: string | null
}

export interface CatalogFile {
  name: string
  version: string
  url: string | null
  project: string
  isClientOnly: boolean
}

export interface PackFilter {
  minecraft: string | null
  software: string | null
}

/** Rejects with Refusal 502/503 if the catalog can't be reached, 404 if it has no such entry. */
export interface PackCatalog {
  base: string
  search(
    query: string,
    filter: PackFilter,
    page: { sort: SearchOrder; limit: number; cursor: string | null },
    signal: AbortSignal,
  ): Promise<{ items: CatalogPack[]; nextCursor: string | null }>
  /** Newest first. */
  versions(project: string, signal: AbortSignal): Promise<CatalogPackVersion[]>
  version(id: string, signal: AbortSignal): Promise<CatalogPackVersion>
  /** By SHA-512; unknown files are missing. */
  filesBy(hashes: readonly string[], signal: AbortSignal): Promise<Map<string, CatalogFile>>
}
