import { hangarCategory } from '../../contract/rules/extensions.ts'
import { refusal, Refusal } from '../../host/refusal.ts'
import type { CatalogClient } from '../requests/catalog-client.ts'
import { isoOf } from '../requests/shapes.ts'
import { CatalogApi, DAY_MS, DETAILS_VERSIONS_MOST, IDENTIFIED_FRESH_MS } from './catalog-api.ts'
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
import {
  catalogVersionOf,
  HangarProject,
  HangarProjects,
  HangarVersion,
  HangarVersions,
  pageOf,
  platformOfHash,
} from './hangar-shapes.ts'
import { newestFirst, updateAmong } from './newest.ts'
import type { Picture } from './pictures.ts'
import { platformOf } from './targets.ts'

const PICTURE_HOSTS = ['hangarcdn.papermc.io', 'hangar.papermc.io']
const PAGE = 25
/** Pages of versions searched for a match. */
const PAGES_MOST = 4
/** Parallel requests: Hangar identifies one file per request. */
const AT_ONCE = 4
/** Identifying stops after this many ms with the results so far; the next call continues. */
const LOOKING_MS = 8000
const FOLIA_TAG = 'SUPPORTS_FOLIA'

/** The API allows 100 requests, then 20 per 5 s; a fifth is left to others with the same IP address. */
export const HANGAR_PACE = { burst: 80, perSecond: 3.125 }

export class Hangar implements UpdateSource {
  readonly id = 'hangar'
  readonly #api: CatalogApi
  readonly #elapsed: () => number

  /** @param elapsed monotonic ms */
  constructor(client: CatalogClient, base: string, elapsed: () => number) {
    const [api, pictureHosts] = ['api/v1', PICTURE_HOSTS]
    this.#api = new CatalogApi(client, { id: this.id, base, api, pictureHosts, pageMost: PAGE })
    this.#elapsed = elapsed
  }

  serves(target: Target): boolean {
    return platformOf(target) !== null
  }

  async search(
    query: string,
    target: Target,
    page: SearchedPage,
    signal: AbortSignal,
  ): Promise<{ items: FoundProject[]; nextCursor: string | null }> {
    const fits = platformOf(target)
    const category = page.category === null ? undefined : hangarCategory(page.category)
    if (!fits || category === null) return { items: [], nextCursor: null }
    const order = page.sort === 'relevance' ? (query.trim() === '' ? 'downloads' : null) : page.sort
    const { found, nextCursor } = await this.#api.page(page, async (range) => {
      const search = {
        ...(query.trim() !== '' && { query }),
        // Hangar's default order is relevance, which needs a query.
        ...(order !== null && { sort: `-${order}` }),
        ...(category !== undefined && { category }),
        ...fits,
        ...(target.software === 'folia' && { tag: FOLIA_TAG }),
        ...range,
      }
      const { result, pagination } = await this.#api.get('projects', HangarProjects, signal, {
        query: search,
      })
      return { found: result, total: pagination?.count ?? null }
    })
    return { items: found.map((project) => this.#found(project)), nextCursor }
  }

  async details(project: string, target: Target, signal: AbortSignal) {
    const key = this.#api.keyOf(project)
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

  icon(project: string, signal: AbortSignal): Promise<Picture | null> {
    const key = this.#api.keyOf(project)
    return this.#api.picture(key, async () => (await this.#project(key, signal)).avatarUrl, signal)
  }

  async versions(project: string, target: Target, signal: AbortSignal): Promise<CatalogVersion[]> {
    const key = this.#api.keyOf(project)
    const fits = platformOf(target)
    if (!fits) return []
    const { platform, version } = fits
    const about = await this.#project(key, signal)
    if (target.software === 'folia' && !about.settings?.tags.includes(FOLIA_TAG)) return []
    const all: HangarVersion[] = []
    for await (const page of this.#pages(key, { platform, platformVersion: version }, signal))
      all.push(...page)
    return all.map((one) => catalogVersionOf(one, about, platform, this.#api.base)).sort(newestFirst)
  }

  async version(id: string, signal: AbortSignal): Promise<CatalogVersion> {
    const path = `versions/${this.#api.keyOf(id)}`
    const version = await this.#api.entry(path, HangarVersion, signal, { freshMs: DAY_MS })
    if (!version.projectId) throw this.#api.notFound()
    const about = await this.#project(version.projectId, signal)
    const [platform = 'PAPER'] = version.downloads.keys()
    return catalogVersionOf(version, about, platform, this.#api.base)
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
    const path = `versions/hash/${sha256}`
    const project = await this.#api.find(path, HangarProject, signal, { freshMs: IDENTIFIED_FRESH_MS })
    if (!project) return null
    for await (const page of this.#pages(project.key, {}, signal))
      for (const version of page) {
        const platform = platformOfHash(version, sha256)
        if (platform !== null) return catalogVersionOf(version, project, platform, this.#api.base)
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
      const range = { limit: String(PAGE), offset: String(offset) }
      const path = `projects/${key}/versions`
      const answer = await this.#api.entry(path, HangarVersions, signal, { query: { ...query, ...range } })
      yield answer.result
      if (offset + PAGE >= (answer.pagination?.count ?? 0)) return
    }
  }

  #project(key: string, signal: AbortSignal): Promise<HangarProject> {
    return this.#api.entry(`projects/${key}`, HangarProject, signal)
  }

  /** Optional: null on errors too, as the summary will do. */
  async #page(slug: string, signal: AbortSignal): Promise<string | null> {
    try {
      const parse = (text: string) => text.slice(0, 100_000) || null
      return await this.#api.ask(`pages/main/${slug}`, { parse, absent: '' }, signal)
    } catch (error) {
      if (error instanceof Refusal) return null
      throw error
    }
  }

  #found(project: HangarProject): FoundProject {
    const { key, name, namespace, description, stats, category, createdAt, lastUpdated, avatarUrl } = project
    return {
      id: this.#api.nameOf(key),
      name,
      summary: description,
      author: namespace.owner || null,
      catalog: this.id,
      downloads: stats?.downloads ?? null,
      updatedAt: isoOf(lastUpdated) ?? null,
      createdAt: isoOf(createdAt) ?? null,
      url: pageOf(project),
      hasIcon: this.#api.rememberPicture(key, avatarUrl),
      categories: category ? [category.replaceAll('_', '-')] : [],
    }
  }
}

const tooMany = (): Refusal => refusal(503, 'extensions.too-many-files').with({ 'Retry-After': '60' })
