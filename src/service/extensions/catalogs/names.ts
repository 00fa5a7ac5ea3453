import { refusal, type Refusal } from '../../base/refusal.ts'
import type { ExtensionCatalog } from './extension-catalog.ts'

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
