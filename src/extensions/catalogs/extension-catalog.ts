import type { SearchOrder } from '../../contract/areas/extensions.ts'
import type { RemoteFile } from '../requests/remote-file.ts'
import { refusal, type Refusal } from '../../host/refusal.ts'
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

type CatalogId = ExtensionCatalog['id']

export const CATALOG_NAMES: Record<CatalogId, string> = { modrinth: 'Modrinth', hangar: 'Hangar' }

const KEY = /^[A-Za-z0-9_-]{1,80}$/

export const nameOf = (catalog: CatalogId, key: string): string => `${catalog}:${key}`

export function catalogOf(name: string): CatalogId | null {
  const [catalog = '', key = ''] = name.split(/:(.*)/s)
  return Object.hasOwn(CATALOG_NAMES, catalog) && KEY.test(key) ? (catalog as CatalogId) : null
}

export function notThere(catalog: CatalogId): Refusal {
  return refusal(404, 'extensions.not-found.at', { catalog: CATALOG_NAMES[catalog] })
}

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
