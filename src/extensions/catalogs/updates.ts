import type {
  CatalogVersion,
  ExtensionCatalog,
  FileHashes,
  Target,
  KnownFile,
  UpdateSource,
} from './extension-catalog.ts'

type CatalogId = ExtensionCatalog['id']

export interface UpdateLookup<T> {
  items: { file: T; current: CatalogVersion | null; newest: CatalogVersion | null }[]
  /** Catalogs that failed for some or all files. */
  unreached: CatalogId[]
}

/** Asks each catalog only for files that those before it don't know. */
export async function updatesFor<T extends { hashes: FileHashes }>(
  catalogs: readonly UpdateSource[],
  files: readonly T[],
  target: Target,
  signal: AbortSignal,
): Promise<UpdateLookup<T>> {
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
