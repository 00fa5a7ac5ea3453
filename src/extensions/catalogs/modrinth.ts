import type { CatalogClient } from '../requests/catalog-client.ts'
import { DAY_MS, DETAILS_VERSIONS_MOST, IDENTIFIED_FRESH_MS } from './catalog-api.ts'
import type {
  CatalogVersion,
  FileHashes,
  FoundProject,
  SearchedPage,
  Target,
  KnownFile,
  KnownFiles,
  UpdateSource,
} from './extension-catalog.ts'
import { ModrinthApi } from './modrinth-api.ts'
import {
  catalogVersionOf,
  ModrinthProject,
  ModrinthVersion,
  ModrinthVersions,
  pageOf,
} from './modrinth-shapes.ts'
import { newestFirst, updates } from './newest.ts'
import type { Picture } from './pictures.ts'
import { BoundedMap } from '../../host/bounded-map.ts'
import { gameOf, loadersOf, runsMods } from './targets.ts'

/** The API allows 300 requests a minute per IP address, which may be shared. */
export const MODRINTH_PACE = { burst: 60, perSecond: 4 }
const NOT_FOR_SERVERS = ['client_only', 'singleplayer_only']
/** Appear among a hit's categories, but repeat what was searched for. */
const LOADER_NAMES = new Set(
  'paper spigot bukkit purpur folia velocity waterfall bungeecord sponge fabric quilt neoforge forge'.split(
    ' ',
  ),
)

export class Modrinth implements UpdateSource {
  readonly id = 'modrinth'
  readonly #api: ModrinthApi
  /** Updates found, by id, so "update all" needn't request each again. */
  readonly #told = new BoundedMap<CatalogVersion>(2000)
  readonly #titlesTold = new BoundedMap<string>(5000)

  constructor(client: CatalogClient, base: string) {
    this.#api = new ModrinthApi(client, base)
  }

  serves(target: Target): boolean {
    return loadersOf(target).length > 0
  }

  async search(
    query: string,
    target: Target,
    page: SearchedPage,
    signal: AbortSignal,
  ): Promise<{ items: FoundProject[]; nextCursor: string | null }> {
    if (!this.serves(target)) return { items: [], nextCursor: null }
    const { items, nextCursor } = await this.#api.search(query, facetsOf(target), page, signal)
    const found = items.map(({ hit, ...project }): FoundProject => ({
      ...project,
      catalog: this.id,
      url: pageOf(hit.project_id, hit.project_type),
      categories: project.categories.filter((one) => !LOADER_NAMES.has(one)),
    }))
    return { items: found, nextCursor }
  }

  async details(project: string, target: Target, signal: AbortSignal) {
    const [about, versions] = await Promise.all([
      this.#project(this.#api.keyOf(project), signal),
      this.versions(project, target, signal),
    ])
    return {
      id: project,
      name: about.title,
      description: about.body,
      url: pageOf(about.id, about.project_type),
      license: about.license?.id ?? about.license?.name ?? null,
      versions: versions.slice(0, DETAILS_VERSIONS_MOST),
    }
  }

  icon(project: string, signal: AbortSignal): Promise<Picture | null> {
    const key = this.#api.keyOf(project)
    return this.#api.picture(key, async () => (await this.#project(key, signal)).icon_url, signal)
  }

  async versions(project: string, target: Target, signal: AbortSignal): Promise<CatalogVersion[]> {
    const key = this.#api.keyOf(project)
    const loaders = loadersOf(target)
    if (loaders.length === 0) return []
    const game = gameOf(target)
    const query = {
      loaders: JSON.stringify(loaders),
      ...(game !== null && { game_versions: JSON.stringify([game]) }),
    }
    const [title, versions] = await Promise.all([
      this.#titleOf(key, signal),
      this.#api.entry(`project/${key}/version`, ModrinthVersions, signal, { query }),
    ])
    return versions.map((one) => this.#version(one, title)).sort(newestFirst)
  }

  async lookAhead(
    { projects, versions }: { projects: readonly string[]; versions: readonly string[] },
    signal: AbortSignal,
  ): Promise<void> {
    const unknown = versions.filter((id) => !this.#told.get(id)).map((id) => this.#api.keyOf(id))
    const answers = await this.#api.inChunks(unknown, (ids) =>
      this.#api.get('versions', ModrinthVersions, signal, {
        query: { ids: JSON.stringify(ids) },
        freshMs: DAY_MS,
      }),
    )
    signal.throwIfAborted()
    const found = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    const titles = await this.#titles(
      [...projects.map((one) => this.#api.keyOf(one)), ...found.map((one) => one.project_id)],
      signal,
    )
    for (const one of found) this.#tell(one, titles.get(one.project_id))
  }

  async version(id: string, signal: AbortSignal): Promise<CatalogVersion> {
    const told = this.#told.get(id)
    if (told) return told
    const path = `version/${this.#api.keyOf(id)}`
    const version = await this.#api.entry(path, ModrinthVersion, signal, { freshMs: DAY_MS })
    return this.#version(version, await this.#titleOf(version.project_id, signal))
  }

  async identify(files: FileHashes[], signal: AbortSignal): Promise<(CatalogVersion | null)[]> {
    const known = await this.#byHash(files, signal)
    const versions = files.map(({ sha512 }) => known.found.get(sha512) ?? null)
    if (known.refusal) throw known.refusal
    const projects = versions.flatMap((one) => (one ? [one.project_id] : []))
    const titles = await this.#titles(projects, signal)
    return versions.map((one) => one && this.#version(one, titles.get(one.project_id) ?? null))
  }

  async updates(files: readonly FileHashes[], target: Target, signal: AbortSignal): Promise<KnownFiles> {
    const known = await this.#byHash(files, signal)
    const current = files.map(({ sha512 }) => {
      const found = known.found.get(sha512)
      return found ? this.#version(found, null) : null
    })
    const game = gameOf(target)
    const fits = { loaders: loadersOf(target), ...(game !== null && { game_versions: [game] }) }
    const withChannel = (isRelease: boolean) =>
      files.filter((_, index) => current[index] && (current[index].channel === 'release') === isRelease)
    // Newest is by date: alone, it would give release users a later beta rather than the latest release.
    const [releases, others] = await Promise.all([
      this.#byHash(withChannel(true), signal, { ...fits, version_types: ['release'] }),
      this.#byHash(withChannel(false), signal, fits),
    ])
    const newest = files.map(({ sha512 }, index) => {
      const [one, found] = [current[index], releases.found.get(sha512) ?? others.found.get(sha512)]
      if (!one || !found || this.#api.nameOf(found.project_id) !== one.project) return null
      return updates(this.#version(found, null), one) ? found : null
    })
    const titles = await this.#titles(
      newest.flatMap((one) => (one ? [one.project_id] : [])),
      signal,
    )
    const items = current.map((one, index): KnownFile | null => {
      if (!one) return null
      const found = newest[index]
      return { current: one, newest: found ? this.#tell(found, titles.get(found.project_id)) : null }
    })
    return { items, isPartial: [known, releases, others].some(({ refusal }) => refusal !== null) }
  }

  /** @param update asks for the newest matching versions instead of the files' own */
  #byHash(files: readonly FileHashes[], signal: AbortSignal, update?: object) {
    const hashes = files.map(({ sha512 }) => sha512)
    return update
      ? this.#api.versionsBy('version_files/update', hashes, signal, update)
      : this.#api.versionsBy('version_files', hashes, signal, {}, IDENTIFIED_FRESH_MS)
  }

  async #titles(projects: readonly string[], signal: AbortSignal): Promise<Map<string, string>> {
    const all = [...new Set(projects)]
    const unknown = all.filter((one) => this.#titlesTold.get(one) === undefined)
    const answers = await this.#api.projects(unknown, signal)
    signal.throwIfAborted()
    for (const answer of answers)
      for (const { id, title, icon_url } of answer.status === 'fulfilled' ? answer.value : []) {
        this.#titlesTold.set(id, title)
        this.#api.rememberPicture(id, icon_url)
      }
    return new Map(
      all.flatMap((key): [string, string][] => {
        const title = this.#titlesTold.get(key)
        return title === undefined ? [] : [[key, title]]
      }),
    )
  }

  async #titleOf(key: string, signal: AbortSignal): Promise<string> {
    return this.#titlesTold.get(key) ?? (await this.#project(key, signal)).title
  }

  #project(key: string, signal: AbortSignal): Promise<ModrinthProject> {
    return this.#api.entry(`project/${key}`, ModrinthProject, signal)
  }

  #tell(version: ModrinthVersion, title: string | undefined): CatalogVersion {
    const told = this.#version(version, title ?? null)
    if (title !== undefined) this.#told.set(told.id, told)
    return told
  }

  #version(version: ModrinthVersion, title: string | null): CatalogVersion {
    return catalogVersionOf(version, title, this.#api.base)
  }
}

/** AND of the lists, OR within each. */
function facetsOf(target: Target): string[][] {
  const game = gameOf(target)
  return [
    // Modrinth lists jars that are both plugin and mod as mods.
    runsMods(target) ? ['project_type:mod'] : ['project_type:plugin', 'project_type:mod'],
    loadersOf(target).map((loader) => `categories:${loader}`),
    ...(game === null ? [] : [[`versions:${game}`]]),
    ...(runsMods(target) ? NOT_FOR_SERVERS.map((one) => [`environment!=${one}`]) : []),
  ]
}
