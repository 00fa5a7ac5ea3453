import { refusal, Refusal } from '../../base/refusal.ts'
import type { CatalogueClient, Question } from '../../software/catalogues/catalogue-client.ts'
import { isoOf, json } from '../../software/catalogues/shapes.ts'
import type { CatalogVersion, FileHashes, FoundProject, SearchedPage, Target } from './extension-catalog.ts'
import {
  catalogVersionOf,
  HangarProject,
  HangarProjects,
  HangarVersion,
  HangarVersions,
  pageOf,
  platformOfHash,
} from './hangar-shapes.ts'
import { keyOf, nameOf, notThere } from './names.ts'
import { newestFirst, updateAmong } from './newest.ts'
import { fetchPicture, type Picture } from './pictures.ts'
import { isAmong, type CatalogHosts } from './places.ts'
import { BoundedMap } from './remembered.ts'
import { platformOf } from './targets.ts'
import type { KnownFile, KnownFiles, UpdateSource } from './update-source.ts'

const NAME = 'Hangar'
const PICTURE_HOSTS = ['hangarcdn.papermc.io', 'hangar.papermc.io']
const PAGE = 25
const SEARCH_MOST = 10_000
/** Pages of versions searched for a match. */
const PAGES_MOST = 4
const DETAILS_VERSIONS_MOST = 50
/** A known file's project never changes; unknown files may be published later. */
const IDENTIFIED_FRESH_MS = 6 * 60 * 60_000
const DAY_MS = 24 * 60 * 60_000
/** Parallel requests: Hangar identifies one file per request. */
const AT_ONCE = 4
/** Identifying stops after this many ms with the results so far; the next call continues. */
const LOOKING_MS = 8000
const FOLIA_TAG = 'SUPPORTS_FOLIA'

/** The API allows 100 requests, then 20 per 5 s; a fifth is left to others with the same IP address. */
export const HANGAR_PACE = { burst: 80, perSecond: 3.125 }

export class Hangar implements UpdateSource {
  readonly id = 'hangar'
  readonly #client: CatalogueClient
  readonly #base: string
  readonly #elapsed: () => number
  readonly #places: CatalogHosts
  readonly #pictures = new BoundedMap<string | null>(2000)

  /** @param elapsed monotonic ms */
  constructor(client: CatalogueClient, base: string, elapsed: () => number) {
    this.#client = client
    this.#base = base
    this.#elapsed = elapsed
    this.#places = { name: NAME, hosts: PICTURE_HOSTS, base }
  }

  serves(target: Target): boolean {
    return platformOf(target) !== null
  }

  async search(
    query: string,
    target: Target,
    { sort, limit, cursor }: SearchedPage,
    signal: AbortSignal,
  ): Promise<{ items: FoundProject[]; nextCursor: string | null }> {
    const fits = platformOf(target)
    const offset = Number(cursor ?? 0)
    if (!fits || offset >= SEARCH_MOST) return { items: [], nextCursor: null }
    const count = Math.min(limit, PAGE)
    const url = this.#url('projects', {
      ...(query.trim() !== '' && { query }),
      // Hangar's default order is relevance, which needs a query.
      ...(sort !== 'relevance' ? { sort: `-${sort}` } : query.trim() === '' && { sort: '-downloads' }),
      ...fits,
      ...(target.software === 'folia' && { tag: FOLIA_TAG }),
      limit: String(count),
      offset: String(offset),
    })
    const { result, pagination } = await this.#ask({ url, parse: json(HangarProjects) }, signal)
    const next = offset + count
    const total = pagination?.count ?? null
    const isEnd = total === null ? result.length === 0 : next >= total
    return {
      items: result.map((project) => this.#found(project)),
      nextCursor: isEnd || next >= SEARCH_MOST ? null : String(next),
    }
  }

  async details(project: string, target: Target, signal: AbortSignal) {
    const key = keyOf(this.id, project)
    const about = await this.#project(key, signal)
    const [page, versions] = await Promise.all([
      this.#page(about.namespace.slug, signal),
      this.versions(project, target, signal),
    ])
    const license = about.settings?.license
    return {
      id: project,
      name: about.name,
      description: page ?? about.description,
      url: pageOf(about),
      license: license?.name ?? license?.type ?? null,
      versions: versions.slice(0, DETAILS_VERSIONS_MOST),
    }
  }

  async icon(project: string, signal: AbortSignal): Promise<Picture | null> {
    const key = keyOf(this.id, project)
    const told = this.#pictures.get(key)
    const address = told === undefined ? ((await this.#project(key, signal)).avatarUrl ?? null) : told
    return fetchPicture(this.#client, address, this.#places, signal)
  }

  async versions(project: string, target: Target, signal: AbortSignal): Promise<CatalogVersion[]> {
    const key = keyOf(this.id, project)
    const fits = platformOf(target)
    if (!fits) return []
    const { platform, version } = fits
    const about = await this.#project(key, signal)
    if (target.software === 'folia' && !about.settings?.tags.includes(FOLIA_TAG)) return []
    const all: HangarVersion[] = []
    for await (const page of this.#pages(key, { platform, platformVersion: version }, signal))
      all.push(...page)
    return all.map((one) => catalogVersionOf(one, about, platform, this.#base)).sort(newestFirst)
  }

  async version(id: string, signal: AbortSignal): Promise<CatalogVersion> {
    const url = this.#url(`versions/${keyOf(this.id, id)}`)
    const parse = json(HangarVersion.nullable())
    const version = await this.#ask({ url, parse, absent: 'null', freshMs: DAY_MS }, signal)
    if (!version?.projectId) throw notThere(this.id)
    const about = await this.#project(version.projectId, signal)
    const [platform = 'PAPER'] = version.downloads.keys()
    return catalogVersionOf(version, about, platform, this.#base)
  }

  async identify(files: FileHashes[], signal: AbortSignal): Promise<(CatalogVersion | null)[]> {
    const { answers, refusal } = await this.#each(files, ({ sha256 }) => this.#byHash(sha256, signal), signal)
    if (refusal) throw refusal
    return answers
  }

  async updates(files: readonly FileHashes[], target: Target, signal: AbortSignal): Promise<KnownFiles> {
    const look = async ({ sha256 }: FileHashes): Promise<KnownFile | null> => {
      const current = await this.#byHash(sha256, signal)
      if (!current) return null
      return { current, newest: updateAmong(await this.versions(current.project, target, signal), current) }
    }
    const { answers, refusal } = await this.#each(files, look, signal)
    return { items: answers, isPartial: refusal !== null }
  }

  /** A few in parallel, until all are done, Hangar refuses, or time runs out. */
  async #each<T>(
    files: readonly FileHashes[],
    look: (file: FileHashes) => Promise<T | null>,
    signal: AbortSignal,
  ): Promise<{ answers: (T | null)[]; refusal: Refusal | null }> {
    const answers = files.map((): T | null => null)
    const until = this.#elapsed() + LOOKING_MS
    let refusal: Refusal | null = null
    let next = 0
    const work = async () => {
      while (next < files.length && refusal === null) {
        const at = next++
        if (this.#elapsed() > until) refusal = tooMany()
        else
          try {
            answers[at] = await look(files[at]!)
          } catch (error) {
            if (!(error instanceof Refusal)) throw error
            // A missing project says nothing about the others.
            if (error.status !== 404) refusal = error
          }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    signal.throwIfAborted()
    return { answers, refusal }
  }

  /** Hangar returns only the project, so search its versions for the hash. */
  async #byHash(sha256: string, signal: AbortSignal): Promise<CatalogVersion | null> {
    const url = this.#url(`versions/hash/${sha256}`)
    const parse = json(HangarProject.nullable())
    const project = await this.#ask({ url, parse, absent: 'null', freshMs: IDENTIFIED_FRESH_MS }, signal)
    if (!project) return null
    for await (const page of this.#pages(project.key, {}, signal))
      for (const version of page) {
        const platform = platformOfHash(version, sha256)
        if (platform !== null) return catalogVersionOf(version, project, platform, this.#base)
      }
    return null
  }

  async *#pages(
    key: string,
    query: Record<string, string>,
    signal: AbortSignal,
  ): AsyncGenerator<HangarVersion[], void, void> {
    for (let page = 0; page < PAGES_MOST; page++) {
      const offset = page * PAGE
      const url = this.#url(`projects/${key}/versions`, {
        ...query,
        limit: String(PAGE),
        offset: String(offset),
      })
      const parse = json(HangarVersions.nullable())
      const answer = await this.#ask({ url, parse, absent: 'null' }, signal)
      if (!answer) throw notThere(this.id)
      yield answer.result
      if (offset + PAGE >= (answer.pagination?.count ?? 0)) return
    }
  }

  async #project(key: string, signal: AbortSignal): Promise<HangarProject> {
    const parse = json(HangarProject.nullable())
    const project = await this.#ask({ url: this.#url(`projects/${key}`), parse, absent: 'null' }, signal)
    if (!project) throw notThere(this.id)
    return project
  }

  /** Optional: null on errors too, as the summary will do. */
  async #page(slug: string, signal: AbortSignal): Promise<string | null> {
    try {
      const url = this.#url(`pages/main/${slug}`)
      return await this.#ask({ url, parse: (text) => text.slice(0, 100_000) || null, absent: '' }, signal)
    } catch (error) {
      if (error instanceof Refusal) return null
      throw error
    }
  }

  #found(project: HangarProject): FoundProject {
    const { key, name, namespace, description, stats, category, createdAt, lastUpdated, avatarUrl } = project
    const hasIcon = isAmong(avatarUrl, this.#places)
    this.#pictures.set(key, hasIcon ? avatarUrl! : null)
    return {
      id: nameOf(this.id, key),
      name,
      summary: description,
      author: namespace.owner || null,
      catalog: this.id,
      downloads: stats?.downloads ?? null,
      updatedAt: isoOf(lastUpdated) ?? null,
      createdAt: isoOf(createdAt) ?? null,
      url: pageOf(project),
      hasIcon,
      categories: category ? [category.replaceAll('_', '-')] : [],
    }
  }

  #ask<T>(question: Omit<Question<T>, 'name'>, signal: AbortSignal): Promise<T> {
    return this.#client.get({ ...question, name: NAME }, signal)
  }

  #url(path: string, query: Record<string, string> = {}): string {
    const asked = new URLSearchParams(query).toString()
    return `${this.#base}/api/v1/${path}${asked === '' ? '' : `?${asked}`}`
  }
}

const tooMany = (): Refusal => refusal(503, 'extensions.too-many-files').with({ 'Retry-After': '60' })
