import type { FoundOrder } from '../../contract/areas/extensions.ts'
import { asProblem, type Problem } from '../core/bridge.ts'

/** How long nobody types before it is searched, in ms. */
const PAUSE = 300
/** What is shown at once at most: whoever reads so far looks for something with more words. */
export const FOUND_MOST = 300

/** One page of what catalogs answer to a search. */
interface Answer<Found> {
  items: readonly Found[]
  more: boolean | 'perhaps'
  /** What the page after it is asked for with. */
  next: string | null
  heldSince?: string
}
/** Asks for a page of one search: for its first, or for that which a cursor leads to. */
type Pages<Found> = (page: { cursor?: string }) => Promise<Answer<Found>>
/** A search as a catalog is asked. The order that is usual goes without saying: not every service knows others. */
interface Wish {
  query: string
  sort?: FoundOrder
}

/** What there is after that which is shown: nothing, something, or more than can be shown. */
type Rest = 'none' | 'more' | 'most' | 'cut'

/** A search in catalogs while somebody types. */
export class Finder<Found extends { id: string }> {
  readonly #ask: (wish: Wish) => Pages<Found> | null
  text = $state('')
  #sort = $state<FoundOrder>('relevance')
  #found = $state.raw<readonly Found[] | null>(null)
  /** What was searched for when this was found. */
  #foundFor = $state('')
  /** Reads on in what was found. */
  #pages: Pages<Found> | null = null
  #next = $state<string | null>(null)
  #rest = $state<Rest>('none')
  #heldSince = $state<string | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #searching = $state(false)
  #readingOn = $state(false)
  #unreadMore = $state.raw<Problem | null>(null)
  /** Only the answer to the last question counts. */
  #asked = 0

  /** @param ask a search, which is asked page by page; null where it is not known yet what to search for */
  constructor(ask: (wish: Wish) => Pages<Found> | null) {
    this.#ask = ask
  }

  /** In which order what is found stands. Without words there is none that fits them best. */
  get sort(): FoundOrder {
    return this.#sort === 'relevance' && this.text.trim() === '' ? 'downloads' : this.#sort
  }
  set sort(sort: FoundOrder) {
    this.#sort = sort
  }
  get orders(): readonly FoundOrder[] {
    const all: FoundOrder[] = ['downloads', 'updated', 'newest']
    return this.text.trim() === '' ? all : ['relevance', ...all]
  }

  get found(): readonly Found[] | null {
    return this.#found
  }
  get foundFor(): string {
    return this.#foundFor
  }
  get rest(): Rest {
    return this.#rest
  }
  /** Of which time this is where the catalog could not be asked. */
  get heldSince(): string | null {
    return this.#heldSince
  }
  get problem(): Problem | null {
    return this.#problem
  }
  get searching(): boolean {
    return this.#searching
  }
  /** Whether the next page is being read. */
  get readingOn(): boolean {
    return this.#readingOn
  }
  /** Why the next page could not be read. */
  get unreadMore(): Problem | null {
    return this.#unreadMore
  }

  /** Searches once nobody types any more. Answers what calls it off. */
  soon(): () => void {
    const timer = setTimeout(() => void this.search(), this.#found === null ? 0 : PAUSE)
    return () => clearTimeout(timer)
  }

  /** Never throws: what goes wrong is in `problem`. */
  async search(): Promise<void> {
    const query = this.text.trim()
    const sort = this.#sort
    const isUsual = sort === 'relevance' || (sort === 'downloads' && query === '')
    const pages = this.#ask({ query, ...(!isUsual && { sort }) })
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
      this.#problem = null
      this.#take(answer)
    } catch (thrown) {
      if (asked === this.#asked) this.#problem = asProblem(thrown)
    } finally {
      if (asked === this.#asked) this.#searching = false
    }
  }

  /**
   * Reads the next page of what was found. Never throws: what goes wrong is in `unreadMore`. Answers the first of what came
   * with it; null where that is nothing.
   */
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
