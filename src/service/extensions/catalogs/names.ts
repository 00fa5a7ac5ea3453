import { refusal, type Refusal } from '../../base/refusal.ts'
import type { ExtensionCatalog } from './extension-catalog.ts'

type CatalogId = ExtensionCatalog['id']

/** What people know the catalogs as. */
export const CATALOG_NAMES: Record<CatalogId, string> = { modrinth: 'Modrinth', hangar: 'Hangar' }

/** It becomes part of addresses. */
const KEY = /^[A-Za-z0-9_-]{1,80}$/

/** A project or a version as the contract names it, from what its catalog calls it. */
export const nameOf = (catalog: CatalogId, key: string): string => `${catalog}:${key}`

/** The catalog that a project or a version is of; null where the name is none of ours. */
export function catalogOf(name: string): CatalogId | null {
  const [catalog = '', key = ''] = name.split(/:(.*)/s)
  return Object.hasOwn(CATALOG_NAMES, catalog) && KEY.test(key) ? (catalog as CatalogId) : null
}

/** What a catalog calls a project or a version. Throws Refusal 404 where the name is none of that catalog. */
export function keyOf(catalog: CatalogId, name: string): string {
  if (catalogOf(name) !== catalog) throw notThere(catalog)
  return name.slice(catalog.length + 1)
}

/** Refuses what a catalog does not have. */
export function notThere(catalog: CatalogId): Refusal {
  return refusal(404, 'extensions.not-found.at', { catalog: CATALOG_NAMES[catalog] })
}
