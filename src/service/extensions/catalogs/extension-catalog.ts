import type { FoundOrder } from '../../../contract/areas/extensions.ts'
import type { RemoteFile } from '../../software/catalogue.ts'
/** What an extension has to fit. `software` is the id of a kind (paper, fabric, …), `version` the game's. */
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
  /** Project and version as the contract names them: `modrinth:…`, `hangar:…`. */
  project: string
  id: string
  projectName: string
  /** Where people read about the project. */
  page?: string | null
  name: string
  channel: 'release' | 'snapshot' | 'experimental'
  releasedAt: string | null
  changes: string | null
  /** Null: only by hand, at `url`. */
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
/** A page of what is searched for: in which order, and after what. */
export interface SearchedPage {
  sort: FoundOrder
  limit: number
  cursor: string | null
}
/** One catalog of extensions. Rejects with Refusal 502/503 where it cannot be asked. */
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
  /** Those that fit, newest first. */
  versions(project: string, target: Target, signal: AbortSignal): Promise<CatalogVersion[]>
  version(id: string, signal: AbortSignal): Promise<CatalogVersion>
  /** What files are, by their hashes; in the order asked, null where it is unknown. */
  identify(files: FileHashes[], signal: AbortSignal): Promise<(CatalogVersion | null)[]>
}
