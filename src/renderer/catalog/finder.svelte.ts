import type { SearchOrder } from '../../contract/areas/extensions.ts'
import type { ExtensionCategory, PackCategory } from '../../contract/rules/extensions.ts'
import { asProblem, type Problem } from '../core/bridge.ts'

/** Debounce, in ms. */
const PAUSE = 300
/** Most results shown; beyond that a narrower query helps more. */
export const FOUND_MOST = 300

interface Answer<Found> {
  items: readonly Found[]
  more: boolean | 'perhaps'
  next: string | null
  heldSince?: string
}
type Pages<Found> = (page: { cursor?: string }) => Promise<Answer<Found>>
/** The default order is omitted: older services know no others. */
interface SearchQuery<Category> {
  query: string
  category?: Category
  sort?: SearchOrder
}

/** What follows the shown results: nothing, more, or more than may be shown. */
type Remainder = 'none' | 'more' | 'most' | 'cut'

export type CatalogCategory = ExtensionCategory | PackCategory

export class Finder<Found extends { id: string }, Category extends CatalogCategory = CatalogCategory> {
  readonly #ask: (wish: SearchQuery<Category>) => Pages<Found> | null
  text = $state('')
  /** Empty: all. */
  category = $state<Category | ''>('')
  #sort = $state<SearchOrder>('relevance')
  #found = $state.raw<readonly Found[] | null>(null)
  #foundFor = $state('')
  #foundIn = $state<Category | ''>('')
  #pages: Pages<Found> | null = null
  #next = $state<string | null>(null)
  #rest = $state<Remainder>('none')
  #heldSince = $state<string | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #searching = $state(false)
  #readingOn = $state(false)
  #unreadMore = $state.raw<Problem | null>(null)
  /** Only the latest request counts. */
  #asked = 0

  /** @param ask returns the pager of a search; null if it can't be built yet */
  constructor(ask: (wish: SearchQuery<Category>) => Pages<Found> | null) {
    this.#ask = ask
  }

  /** Relevance needs a query; without one, downloads. */
  get sort(): SearchOrder {
    return this.#sort === 'relevance' && this.text.trim() === '' ? 'downloads' : this.#sort
  }
  set sort(sort: SearchOrder) {
    this.#sort = sort
  }
  get orders(): readonly SearchOrder[] {
    const all: SearchOrder[] = ['downloads', 'updated', 'newest']
    return this.text.trim() === '' ? all : ['relevance', ...all]
  }

  get found(): readonly Found[] | null {
    return this.#found
  }
  get foundFor(): string {
    return this.#foundFor
  }
  get foundIn(): Category | '' {
    return this.#foundIn
  }
  get rest(): Remainder {
    return this.#rest
  }
  /** When the results were cached, if the catalog was unreachable. */
  get heldSince(): string | null {
    return this.#heldSince
  }
  get problem(): Problem | null {
    return this.#problem
  }
  get searching(): boolean {
    return this.#searching
  }
  get readingOn(): boolean {
    return this.#readingOn
  }
  get unreadMore(): Problem | null {
    return this.#unreadMore
  }

  soon(): () => void {
    const timer = setTimeout(() => void this.search(), this.#found === null ? 0 : PAUSE)
    return () => clearTimeout(timer)
  }

  /** Never throws; see `problem`. */
  async search(): Promise<void> {
    const query = this.text.trim()
    const sort = this.#sort
    const category = this.category
    const isUsual = sort === 'relevance' || (sort === 'downloads' && query === '')
    const pages = this.#ask({ query, ...(category && { category }), ...(!isUsual && { sort }) })
    if (!pages) return
    const asked = ++this.#asked
    this.#searching = true
    this.#readingOn = false
    try {
      const answer = await pages({})
      if (asked !== this.#asked) return
      this.#found = []
      this.#heldSince = null
      this.#pages = pages
      this.#foundFor = query
      this.#foundIn = category
      this.#problem = null
      this.#take(answer)
    } catch (thrown) {
      if (asked === this.#asked) this.#problem = asProblem(thrown)
    } finally {
      if (asked === this.#asked) this.#searching = false
    }
  }

  /** Reads the next page; returns its first new result, or null. Never throws; see `unreadMore`. */
  async readOn(): Promise<Found | null> {
    if (this.#searching || this.#readingOn || this.#next === null || !this.#pages) return null
    const asked = ++this.#asked
    this.#readingOn = true
    try {
      const answer = await this.#pages({ cursor: this.#next })
      if (asked !== this.#asked) return null
      const before = this.#found?.length ?? 0
      this.#take(answer)
      return this.#found?.[before] ?? null
    } catch (thrown) {
      if (asked === this.#asked) this.#unreadMore = asProblem(thrown)
      return null
    } finally {
      if (asked === this.#asked) this.#readingOn = false
    }
  }

  #take({ items, more, next, heldSince }: Answer<Found>): void {
    const shown = this.#found ?? []
    const ids = new Set(shown.map(({ id }) => id))
    const all = [...shown, ...items.filter(({ id }) => !ids.has(id) && ids.add(id))]
    const isMost = all.length >= FOUND_MOST
    this.#found = all.slice(0, FOUND_MOST)
    this.#next = isMost ? null : next
    const hasMore = more === true || all.length > FOUND_MOST
    this.#rest = !hasMore ? 'none' : isMost ? 'most' : next === null ? 'cut' : 'more'
    if (heldSince && (this.#heldSince === null || heldSince < this.#heldSince)) this.#heldSince = heldSince
    this.#unreadMore = null
  }
}
