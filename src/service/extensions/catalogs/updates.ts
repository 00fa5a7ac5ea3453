import type { CatalogVersion, ExtensionCatalog, FileHashes, Target } from './extension-catalog.ts'
import type { KnownFile, UpdateSource } from './update-source.ts'

type CatalogId = ExtensionCatalog['id']

/** What catalogs know of files. */
export interface FoundUpdates<T> {
  items: { file: T; current: CatalogVersion | null; newest: CatalogVersion | null }[]
  /** Catalogs that could not be asked, or not for all. */
  unreached: CatalogId[]
}

/**
 * What each file is by its hashes, and the newest version that fits and came later. The catalogs are asked one after
 * another, each for what those before it do not know.
 */
export async function updatesFor<T extends { hashes: FileHashes }>(
  catalogs: readonly UpdateSource[],
  files: readonly T[],
  target: Target,
  signal: AbortSignal,
): Promise<FoundUpdates<T>> {
  const known = new Map<T, KnownFile>()
  const unreached: CatalogId[] = []
  for (const catalog of catalogs) {
    const unknown = files.filter((file) => !known.has(file))
    if (unknown.length === 0 || !catalog.serves(target)) continue
    const { items, isPartial } = await catalog.updates(unknown.map(({ hashes }) => hashes), target, signal) // prettier-ignore
    for (const [at, item] of items.entries()) if (item) known.set(unknown[at]!, item)
    if (isPartial) unreached.push(catalog.id)
  }
  const items = files.map((file) => {
    const { current, newest } = known.get(file) ?? { current: null, newest: null }
    return { file, current, newest }
  })
  return { items, unreached }
}
