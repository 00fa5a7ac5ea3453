import type { z } from 'zod'
import { Refusal } from '../../host/refusal.ts'
import type { CatalogClient } from '../requests/catalog-client.ts'
import { isoOf } from '../requests/shapes.ts'
import { CatalogApi, DAY_MS } from './catalog-api.ts'
import type { FoundProject, SearchedPage } from './extension-catalog.ts'
import {
  indexOf,
  ModrinthHits,
  ModrinthTitles,
  type ModrinthVersion,
  VersionsByHash,
} from './modrinth-shapes.ts'

/** Ids and hashes per request. */
const CHUNK = 100

type SearchHit = Omit<FoundProject, 'catalog' | 'url'> & {
  hit: z.output<typeof ModrinthHits>['hits'][number]
}

/** What extensions and modpacks ask Modrinth alike. */
export class ModrinthApi extends CatalogApi {
  constructor(client: CatalogClient, base: string, notFound?: () => Refusal) {
    const pictureHosts = ['cdn.modrinth.com', 'cdn-raw.modrinth.com']
    super(client, { id: 'modrinth', base, api: 'v2', pictureHosts, pageMost: 100, notFound })
  }

  /** @param facets AND of the lists, OR within each */
  async search(
    query: string,
    facets: string[][],
    page: SearchedPage,
    signal: AbortSignal,
  ): Promise<{ items: SearchHit[]; nextCursor: string | null }> {
    const all = page.category === null ? facets : [...facets, [`categories:${page.category}`]]
    const search = { query, facets: JSON.stringify(all), index: indexOf(query, page.sort) }
    const { found, nextCursor } = await this.page(page, async (range) => {
      const answer = await this.get('search', ModrinthHits, signal, { query: { ...search, ...range } })
      return { found: answer.hits, total: answer.total_hits }
    })
    const items = found
      .filter(({ server_side }) => server_side !== 'unsupported')
      .map((hit) => ({
        hit,
        id: this.nameOf(hit.project_id),
        name: hit.title,
        summary: hit.description,
        author: hit.author,
        downloads: hit.downloads,
        updatedAt: isoOf(hit.date_modified) ?? null,
        createdAt: isoOf(hit.date_created) ?? null,
        hasIcon: this.rememberPicture(hit.project_id, hit.icon_url),
        categories: hit.categories.filter((one) => one !== ''),
      }))
    return { items, nextCursor }
  }

  /** Returns what could be loaded, and the error that stopped the rest. */
  async versionsBy(
    path: string,
    hashes: readonly string[],
    signal: AbortSignal,
    more: object = {},
    freshMs?: number,
  ): Promise<{ found: Map<string, ModrinthVersion>; refusal: Refusal | null }> {
    const answers = await this.inChunks(hashes, (chunk) => {
      const body = { hashes: chunk, algorithm: 'sha512', ...more }
      return this.get(path, VersionsByHash, signal, { body, freshMs })
    })
    const found = new Map<string, ModrinthVersion>()
    let refusal: Refusal | null = null
    for (const answer of answers) {
      if (answer.status === 'fulfilled') for (const [hash, one] of answer.value) found.set(hash, one)
      else if (answer.reason instanceof Refusal) refusal = answer.reason
      else throw answer.reason
    }
    return { found, refusal }
  }

  projects(ids: readonly string[], signal: AbortSignal) {
    return this.inChunks(ids, (chunk) =>
      this.get('projects', ModrinthTitles, signal, {
        query: { ids: JSON.stringify(chunk) },
        freshMs: DAY_MS,
      }),
    )
  }

  inChunks<T>(
    all: readonly string[],
    ask: (chunk: string[]) => Promise<T>,
  ): Promise<PromiseSettledResult<T>[]> {
    const each = [...new Set(all)]
    const count = Math.ceil(each.length / CHUNK)
    return Promise.allSettled(
      Array.from({ length: count }, (_, at) => ask(each.slice(at * CHUNK, (at + 1) * CHUNK))),
    )
  }
}
