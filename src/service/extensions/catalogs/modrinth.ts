import type { z } from 'zod'
import { Refusal } from '../../base/refusal.ts'
import type { CatalogueClient, Question } from '../../software/catalogues/catalogue-client.ts'
import { isoOf, json } from '../../software/catalogues/shapes.ts'
import type { CatalogVersion, FileHashes, FoundProject, SearchedPage, Target } from './extension-catalog.ts'
import {
  catalogVersionOf,
  indexOf,
  ModrinthHits,
  ModrinthProject,
  ModrinthTitles,
  ModrinthVersion,
  ModrinthVersions,
  pageOf,
  VersionsByHash,
} from './modrinth-shapes.ts'
import { keyOf, nameOf, notThere } from './names.ts'
import { newestFirst, updates } from './newest.ts'
import { fetchPicture, type Picture } from './pictures.ts'
import { isAmong, type CatalogHosts } from './places.ts'
import { BoundedMap } from './remembered.ts'
import { gameOf, loadersOf, runsMods } from './targets.ts'
import type { KnownFile, KnownFiles, UpdateSource } from './update-source.ts'

const NAME = 'Modrinth'
/** The API allows 300 requests a minute per IP address, which may be shared. */
export const MODRINTH_PACE = { burst: 60, perSecond: 4 }
const PICTURE_HOSTS = ['cdn.modrinth.com', 'cdn-raw.modrinth.com']
const CHUNK = 100
const SEARCH_MOST = 10_000
const PAGE_MOST = 100
const DETAILS_VERSIONS_MOST = 50
/** A known file hardly ever changes; unknown files may be published later. */
const IDENTIFIED_FRESH_MS = 6 * 60 * 60_000
const DAY_MS = 24 * 60 * 60_000
const NOT_FOR_SERVERS = ['client_only', 'singleplayer_only']
/** Appear among a hit's categories, but repeat what was searched for. */
const LOADER_NAMES = new Set(
  'paper spigot bukkit purpur folia velocity waterfall bungeecord sponge fabric quilt neoforge forge'.split(
    ' ',
  ),
)

export class Modrinth implements UpdateSource {
  readonly id = 'modrinth'
  readonly #client: CatalogueClient
  readonly #base: string
  readonly #places: CatalogHosts
  readonly #pictures = new BoundedMap<string | null>(2000)
  /** Updates found, by id, so "update all" needn't request each again. */
  readonly #told = new BoundedMap<CatalogVersion>(2000)
  readonly #titlesTold = new BoundedMap<string>(5000)

  constructor(client: CatalogueClient, base: string) {
    this.#client = client
    this.#base = base
    this.#places = { name: NAME, hosts: PICTURE_HOSTS, base }
  }

  serves(target: Target): boolean {
    return loadersOf(target).length > 0
  }

  async search(
    query: string,
    target: Target,
    { sort, limit, cursor }: SearchedPage,
    signal: AbortSignal,
  ): Promise<{ items: FoundProject[]; nextCursor: string | null }> {
    const offset = Number(cursor ?? 0)
    if (!this.serves(target) || offset >= SEARCH_MOST) return { items: [], nextCursor: null }
    const count = Math.min(limit, PAGE_MOST)
    const url = this.#url('search', {
      query,
      facets: JSON.stringify(facetsOf(target)),
      index: indexOf(query, sort),
      offset: String(offset),
      limit: String(count),
    })
    const { hits, total_hits } = await this.#ask({ url, parse: json(ModrinthHits) }, signal)
    const items = hits
      .filter(({ server_side }) => server_side !== 'unsupported')
      .map((hit) => this.#found(hit))
    const next = offset + count
    const isEnd = total_hits === null ? hits.length === 0 : next >= total_hits
    return { items, nextCursor: isEnd || next >= SEARCH_MOST ? null : String(next) }
  }

  async details(project: string, target: Target, signal: AbortSignal) {
    const [about, versions] = await Promise.all([
      this.#project(keyOf(this.id, project), signal),
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

  async icon(project: string, signal: AbortSignal): Promise<Picture | null> {
    const key = keyOf(this.id, project)
    const told = this.#pictures.get(key)
    const address = told === undefined ? ((await this.#project(key, signal)).icon_url ?? null) : told
    return fetchPicture(this.#client, address, this.#places, signal)
  }

  async versions(project: string, target: Target, signal: AbortSignal): Promise<CatalogVersion[]> {
    const key = keyOf(this.id, project)
    const loaders = loadersOf(target)
    if (loaders.length === 0) return []
    const game = gameOf(target)
    const url = this.#url(`project/${key}/version`, {
      loaders: JSON.stringify(loaders),
      ...(game !== null && { game_versions: JSON.stringify([game]) }),
    })
    const parse = json(ModrinthVersions.nullable())
    const [title, versions] = await Promise.all([
      this.#titleOf(key, signal),
      this.#ask({ url, parse, absent: 'null' }, signal),
    ])
    if (!versions) throw notThere(this.id)
    return versions.map((one) => this.#version(one, title)).sort(newestFirst)
  }

  async lookAhead(
    { projects, versions }: { projects: readonly string[]; versions: readonly string[] },
    signal: AbortSignal,
  ): Promise<void> {
    const unknown = versions.filter((id) => !this.#told.get(id)).map((id) => keyOf(this.id, id))
    const asked = chunksOf([...new Set(unknown)]).map((chunk) => {
      const url = this.#url('versions', { ids: JSON.stringify(chunk) })
      return this.#ask({ url, parse: json(ModrinthVersions), freshMs: DAY_MS }, signal)
    })
    const answers = await Promise.allSettled(asked)
    signal.throwIfAborted()
    const found = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    const titles = await this.#titles(
      [...projects.map((one) => keyOf(this.id, one)), ...found.map((one) => one.project_id)],
      signal,
    )
    for (const one of found) this.#tell(one, titles.get(one.project_id))
  }

  async version(id: string, signal: AbortSignal): Promise<CatalogVersion> {
    const told = this.#told.get(id)
    if (told) return told
    const url = this.#url(`version/${keyOf(this.id, id)}`)
    const parse = json(ModrinthVersion.nullable())
    const version = await this.#ask({ url, parse, absent: 'null', freshMs: DAY_MS }, signal)
    if (!version) throw notThere(this.id)
    return this.#version(version, await this.#titleOf(version.project_id, signal))
  }

  async identify(files: FileHashes[], signal: AbortSignal): Promise<(CatalogVersion | null)[]> {
    const known = await this.#byHash('version_files', files, {}, IDENTIFIED_FRESH_MS, signal)
    const versions = files.map(({ sha512 }) => known.found.get(sha512) ?? null)
    if (known.refusal) throw known.refusal
    const projects = versions.flatMap((one) => (one ? [one.project_id] : []))
    const titles = await this.#titles(projects, signal)
    return versions.map((one) => one && this.#version(one, titles.get(one.project_id) ?? null))
  }

  async updates(files: readonly FileHashes[], target: Target, signal: AbortSignal): Promise<KnownFiles> {
    const known = await this.#byHash('version_files', files, {}, IDENTIFIED_FRESH_MS, signal)
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
      this.#byHash(
        'version_files/update',
        withChannel(true),
        { ...fits, version_types: ['release'] },
        undefined,
        signal,
      ),
      this.#byHash('version_files/update', withChannel(false), fits, undefined, signal),
    ])
    const newest = files.map(({ sha512 }, index) => {
      const [one, found] = [current[index], releases.found.get(sha512) ?? others.found.get(sha512)]
      if (!one || !found || nameOf(this.id, found.project_id) !== one.project) return null
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

  /** Returns what could be loaded, and the error that stopped the rest. */
  async #byHash(
    path: string,
    files: readonly FileHashes[],
    more: object,
    freshMs: number | undefined,
    signal: AbortSignal,
  ): Promise<{ found: Map<string, ModrinthVersion>; refusal: Refusal | null }> {
    const hashes = [...new Set(files.map(({ sha512 }) => sha512))]
    const asked = chunksOf(hashes).map((chunk) => {
      const body = JSON.stringify({ hashes: chunk, algorithm: 'sha512', ...more })
      return this.#ask({ url: this.#url(path), body, parse: json(VersionsByHash), freshMs }, signal)
    })
    const found = new Map<string, ModrinthVersion>()
    let refusal: Refusal | null = null
    for (const answer of await Promise.allSettled(asked)) {
      if (answer.status === 'fulfilled') for (const [hash, one] of answer.value) found.set(hash, one)
      else if (answer.reason instanceof Refusal) refusal = answer.reason
      else throw answer.reason
    }
    return { found, refusal }
  }

  async #titles(projects: readonly string[], signal: AbortSignal): Promise<Map<string, string>> {
    const all = [...new Set(projects)]
    const asked = chunksOf(all.filter((one) => this.#titlesTold.get(one) === undefined)).map((chunk) => {
      const url = this.#url('projects', { ids: JSON.stringify(chunk) })
      return this.#ask({ url, parse: json(ModrinthTitles), freshMs: DAY_MS }, signal)
    })
    const answers = await Promise.allSettled(asked)
    signal.throwIfAborted()
    for (const answer of answers)
      for (const { id, title, icon_url } of answer.status === 'fulfilled' ? answer.value : []) {
        this.#titlesTold.set(id, title)
        this.#pictures.set(id, isAmong(icon_url, this.#places) ? icon_url! : null)
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

  async #project(key: string, signal: AbortSignal): Promise<ModrinthProject> {
    const parse = json(ModrinthProject.nullable())
    const project = await this.#ask({ url: this.#url(`project/${key}`), parse, absent: 'null' }, signal)
    if (!project) throw notThere(this.id)
    return project
  }

  #found(hit: z.output<typeof ModrinthHits>['hits'][number]): FoundProject {
    const hasIcon = isAmong(hit.icon_url, this.#places)
    this.#pictures.set(hit.project_id, hasIcon ? hit.icon_url! : null)
    return {
      id: nameOf(this.id, hit.project_id),
      name: hit.title,
      summary: hit.description,
      author: hit.author,
      catalog: this.id,
      downloads: hit.downloads,
      updatedAt: isoOf(hit.date_modified) ?? null,
      createdAt: isoOf(hit.date_created) ?? null,
      url: pageOf(hit.project_id, hit.project_type),
      hasIcon,
      categories: hit.categories.filter((one) => one !== '' && !LOADER_NAMES.has(one)),
    }
  }

  #tell(version: ModrinthVersion, title: string | undefined): CatalogVersion {
    const told = this.#version(version, title ?? null)
    if (title !== undefined) this.#told.set(told.id, told)
    return told
  }

  #version(version: ModrinthVersion, title: string | null): CatalogVersion {
    return catalogVersionOf(version, title, this.#base)
  }

  #ask<T>(question: Omit<Question<T>, 'name'>, signal: AbortSignal): Promise<T> {
    return this.#client.get({ ...question, name: NAME }, signal)
  }

  #url(path: string, query: Record<string, string> = {}): string {
    const asked = new URLSearchParams(query).toString()
    return `${this.#base}/v2/${path}${asked === '' ? '' : `?${asked}`}`
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

const chunksOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, at) => all.slice(at * CHUNK, (at + 1) * CHUNK))
