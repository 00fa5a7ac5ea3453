import type { SearchOrder } from '../../../contract/areas/extensions.ts'
import type { RemoteFile } from '../../software/catalog.ts'
/** `software`: id of a kind (paper, fabric, …); `version`: the game's. */
export interface Target {
  software: string
  version: string
}
export interface FileHashes {
  sha1: string
  sha256: string
  sha512: string
}
export interface Dependency {
  kind: 'required' | 'optional' | 'incompatible' | 'embedded'
  project: string | null
  versionId: string | null
  name: string | null
}
export interface CatalogVersion {
  project: string
  id: string
  projectName: string
  page?: string | null
  name: string
  channel: 'release' | 'snapshot' | 'experimental'
  releasedAt: string | null
  changes: string | null
  /** Null: must be downloaded by hand from `url`. */
  file: RemoteFile | null
  url: string | null
  dependencies: Dependency[]
}
export interface FoundProject {
  id: string
  name: string
  summary: string | null
  author: string | null
  catalog: 'modrinth' | 'hangar'
  downloads: number | null
  updatedAt: string | null
  createdAt: string | null
  url: string | null
  hasIcon: boolean
  categories: string[]
}
export interface SearchedPage {
  sort: SearchOrder
  /** As in `catalog-categories.ts`; null for all. */
  category: string | null
  limit: number
  cursor: string | null
}
/** Rejects with Refusal 502/503 if the catalog can't be reached. */
export interface ExtensionCatalog {
  id: 'modrinth' | 'hangar'
  search(
    query: string,
    target: Target,
    page: SearchedPage,
    signal: AbortSignal,
  ): Promise<{ items: FoundProject[]; nextCursor: string | null }>
  details(
    project: string,
    target: Target,
    signal: AbortSignal,
  ): Promise<{
    id: string
    name: string
    description: string | null
    url: string | null
    license: string | null
    versions: CatalogVersion[]
  }>
  icon(project: string, signal: AbortSignal): Promise<{ type: string; bytes: Uint8Array } | null>
  versions(project: string, target: Target, signal: AbortSignal): Promise<CatalogVersion[]>
  version(id: string, signal: AbortSignal): Promise<CatalogVersion>
  /** In the order asked; null for unknown files. */
  identify(files: FileHashes[], signal: AbortSignal): Promise<(CatalogVersion | null)[]>
}
