import type { CatalogAddresses } from './addresses.ts'
import type { Clock } from '../../host/clock.ts'
import { CatalogClient, type ClientOptions } from '../requests/catalog-client.ts'
import {
  type ExtensionCatalog,
  type FileHashes,
  type SearchedPage,
  type Target,
  catalogOf,
  type UpdateSource,
} from './extension-catalog.ts'
import { Hangar, HANGAR_PACE } from './hangar.ts'
import { Modrinth, MODRINTH_PACE } from './modrinth.ts'
import { ModrinthPacks } from './modrinth-packs.ts'
import { refusal } from '../../host/refusal.ts'
import { MergedSearch, type SearchPage } from './search.ts'
import { type UpdateLookup, updatesFor } from './updates.ts'

/** Responses are small and many: one per extension viewed. */
const KEPT = { files: 2000, bytes: 256 * 1024 * 1024 }

export class ExtensionCatalogs {
  readonly #client: CatalogClient
  readonly #all: readonly UpdateSource[]
  readonly #search: MergedSearch
  readonly packs: ModrinthPacks

  constructor(
    folder: string,
    settings: CatalogAddresses,
    clock: Clock,
    options: Pick<ClientOptions, 'dispatcher' | 'limits' | 'wait'> = {},
  ) {
    const { contact, modrinth, hangar } = settings
    const paces = { [new URL(modrinth).origin]: MODRINTH_PACE, [new URL(hangar).origin]: HANGAR_PACE }
    this.#client = new CatalogClient({ ...options, folder, contact, clock, cache: KEPT, paces })
    // The first is asked first, and its entry is shown if both have an extension.
    this.#all = [
      new Modrinth(this.#client, modrinth),
      new Hangar(this.#client, hangar, () => clock.elapsed()),
    ]
    this.packs = new ModrinthPacks(this.#client, modrinth)
    this.#search = new MergedSearch(this.#all)
  }

  get headers(): Record<string, string> {
    return this.#client.headers
  }

  /** Throws Refusal 404 for names that belong to no catalog. */
  of(name: string): ExtensionCatalog {
    const id = catalogOf(name)
    const catalog = this.#all.find((one) => one.id === id)
    if (catalog) return catalog
    throw refusal(404, 'extensions.not-found.anywhere')
  }

  search(query: string, target: Target, page: SearchedPage, signal: AbortSignal): Promise<SearchPage> {
    return this.#search.search(query, target, page, signal)
  }

  updates<T extends { hashes: FileHashes }>(
    files: readonly T[],
    target: Target,
    signal: AbortSignal,
  ): Promise<UpdateLookup<T>> {
    return updatesFor(this.#all, files, target, signal)
  }

  /** Prefetches projects and versions in few requests. Rejects only with the signal's reason. */
  async lookAhead(
    wanted: { projects: readonly string[]; versions: readonly string[] },
    signal: AbortSignal,
  ): Promise<void> {
    for (const catalog of this.#all) {
      const own = (name: string) => catalogOf(name) === catalog.id
      const projects = wanted.projects.filter(own)
      const versions = wanted.versions.filter(own)
      if (projects.length + versions.length > 1) await catalog.lookAhead?.({ projects, versions }, signal)
    }
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}
