import type { SearchOrder } from '../../contract/areas/extensions.ts'
import { refusal, Refusal } from '../../host/refusal.ts'
import type { ExtensionCatalog, FoundProject, SearchedPage, Target } from './extension-catalog.ts'
import { BoundedMap } from '../../host/bounded-map.ts'

type CatalogId = ExtensionCatalog['id']

/** The catalog page last read, and how many of its entries were used. */
interface CatalogPosition {
  offset: number
  taken: number
}
/** Absent: the catalog has no more. */
type CatalogPositions = Partial<Record<CatalogId, CatalogPosition>>

export interface SearchPage {
  items: FoundProject[]
  nextCursor: string | null
  /** Catalogs that failed for this page. */
  unreached: CatalogId[]
}

const SHOWN_MOST = 2000
const SEARCHES_MOST = 50

/** Pages with only known entries to skip before giving up. */
const ROUNDS_MOST = 3

type PageRequest = Omit<SearchedPage, 'cursor'>

interface CatalogResult {
  id: CatalogId
  place: CatalogPosition
  items: FoundProject[]
  next: number | null
}

/** Searches all catalogs and shows extensions found in several once. Pages are repeatable. */
export class MergedSearch {
  readonly #catalogs: readonly ExtensionCatalog[]
  readonly #shown = new BoundedMap<Map<string, string>>(SEARCHES_MOST)

  constructor(catalogs: readonly ExtensionCatalog[]) {
    this.#catalogs = catalogs
  }

  /** Rejects with Refusal 422 for a foreign cursor, or a catalog's refusal if all catalogs failed. */
  async search(
    query: string,
    target: Target,
    { cursor, ...wanted }: SearchedPage,
    signal: AbortSignal,
  ): Promise<SearchPage> {
    let places = cursor === null ? this.#beginning() : this.#placesOf(cursor)
    for (let round = 1; ; round++) {
      const { found, unreached } = await this.#ask(query, target, wanted, places, signal)
      const { items, next } = this.#merge(found, wanted, query, target)
      // For failed catalogs, the next page retries from the same place.
      const isEnd = Object.keys(next).length === 0
      const goesOn = isEnd ? {} : { ...next, ...only(places, unreached) }
      if (items.length > 0 || isEnd || round === ROUNDS_MOST)
        return { items, nextCursor: isEnd ? null : cursorOf(goesOn), unreached }
      places = goesOn
    }
  }

  async #ask(
    query: string,
    target: Target,
    wanted: PageRequest,
    places: CatalogPositions,
    signal: AbortSignal,
  ) {
    const asked = this.#catalogs.filter(({ id }) => places[id] !== undefined)
    const answers = await Promise.allSettled(
      asked.map(async (catalog): Promise<CatalogResult> => {
        const place = places[catalog.id]!
        const page = { ...wanted, cursor: place.offset === 0 ? null : String(place.offset) }
        const { items, nextCursor } = await catalog.search(query, target, page, signal)
        const next = nextCursor === null ? null : Number(nextCursor)
        return { id: catalog.id, place, items: items.slice(place.taken), next }
      }),
    )
    const found = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const failures = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
    for (const failure of failures) if (!(failure instanceof Refusal)) throw failure
    if (found.length === 0 && failures.length > 0) throw failures[0]
    const unreached = asked.map(({ id }) => id).filter((id) => !found.some((one) => one.id === id))
    return { found, unreached }
  }

  /** By relevance: alternates between catalogs, whose scores can't be compared. Otherwise sorts by rank. */
  #merge(
    found: CatalogResult[],
    { sort, category, limit }: PageRequest,
    query: string,
    target: Target,
  ): { items: FoundProject[]; next: CatalogPositions } {
    const shown = this.#shownOf([query, sort, category], target)
    const by = sort !== 'relevance' ? sort : query.trim() === '' ? 'downloads' : null
    // The first catalog's entry represents the extension.
    for (const item of found.flatMap(({ items }) => items))
      if (!shown.has(likeness(item)) && shown.size < SHOWN_MOST) shown.set(likeness(item), item.id)
    const queues = found.map(({ items }) => items.slice())
    const items: FoundProject[] = []
    for (let turn = 0; items.length < limit && queues.some(({ length }) => length > 0); turn++) {
      const queue = by === null ? queues[turn % queues.length]! : first(queues, RANKS[by])
      const item = queue.shift()
      if (item && (shown.get(likeness(item)) ?? item.id) === item.id) items.push(item)
    }
    const next: CatalogPositions = {}
    for (const [at, { id, place, items: all, next: offset }] of found.entries()) {
      const left = queues[at]!.length
      if (left > 0) next[id] = { offset: place.offset, taken: place.taken + all.length - left }
      else if (offset !== null) next[id] = { offset, taken: 0 }
    }
    return { items, next }
  }

  #shownOf(wanted: readonly unknown[], { software, version }: Target): Map<string, string> {
    const key = JSON.stringify([...wanted, software, version])
    const shown = this.#shown.get(key) ?? new Map<string, string>()
    this.#shown.set(key, shown)
    return shown
  }

  #beginning(): CatalogPositions {
    return Object.fromEntries(this.#catalogs.map(({ id }) => [id, { offset: 0, taken: 0 }]))
  }

  #placesOf(cursor: string): CatalogPositions {
    const parts = /^[a-z]+-\d{1,5}-\d{1,3}(\.[a-z]+-\d{1,5}-\d{1,3}){0,4}$/.test(cursor)
      ? cursor.split('.').map((one) => one.split('-') as [CatalogId, string, string])
      : []
    if (parts.length > 0 && parts.every(([id]) => this.#catalogs.some((one) => one.id === id)))
      return Object.fromEntries(
        parts.map(([id, offset, taken]) => [id, { offset: Number(offset), taken: Number(taken) }]),
      )
    throw refusal(422, 'request.invalid.place').at('cursor')
  }
}

const only = (places: CatalogPositions, ids: readonly CatalogId[]): CatalogPositions =>
  Object.fromEntries(ids.map((id) => [id, places[id]]))

const cursorOf = (places: CatalogPositions): string =>
  Object.entries(places)
    .map(([id, { offset, taken }]) => `${id}-${offset}-${taken}`)
    .join('.')

/** Sort keys, highest first; unknown values sort last. */
const RANKS: Record<Exclude<SearchOrder, 'relevance'>, (one: FoundProject) => number> = {
  downloads: ({ downloads }) => downloads ?? 0,
  updated: ({ updatedAt }) => Date.parse(updatedAt ?? '') || 0,
  newest: ({ createdAt }) => Date.parse(createdAt ?? '') || 0,
}

const first = (queues: FoundProject[][], rank: (one: FoundProject) => number): FoundProject[] =>
  queues
    .filter(({ length }) => length > 0)
    .reduce((best, one) => (rank(one[0]!) > rank(best[0]!) ? one : best))

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Equal for the same extension in several catalogs. Without an author, nothing matches. */
const likeness = ({ id, name, author }: FoundProject): string =>
  author === null ? id : `${plain(name)} ${plain(author)}`
