import { asProblem, type Problem } from '../core/bridge.ts'

/** How long nobody types before it is searched, in ms. */
const PAUSE = 300

/** What a catalog answers to a search. */
interface Answer<Found> {
  items: readonly Found[]
  more: boolean | 'perhaps'
  heldSince?: string
}

/** A search in catalogs while somebody types. */
export class Finder<Found extends { id: string }> {
  readonly #ask: (query: string) => Promise<Answer<Found>> | null
  text = $state('')
  #found = $state.raw<readonly Found[] | null>(null)
  /** What was searched for when this was found. */
  #foundFor = $state('')
  #hasMore = $state(false)
  #heldSince = $state<string | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #searching = $state(false)
  /** Only the answer to the last question counts. */
  #asked = 0

  /** @param ask searches; null where it is not known yet what to search for */
  constructor(ask: (query: string) => Promise<Answer<Found>> | null) {
    this.#ask = ask
  }

  get found(): readonly Found[] | null {
    return this.#found
  }
  get foundFor(): string {
    return this.#foundFor
  }
  get hasMore(): boolean {
    return this.#hasMore
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

  /** Searches once nobody types any more. Answers what calls it off. */
  soon(): () => void {
    const timer = setTimeout(() => void this.search(), this.#found === null ? 0 : PAUSE)
    return () => clearTimeout(timer)
  }

  /** Never throws: what goes wrong is in `problem`. */
  async search(): Promise<void> {
    const query = this.text.trim()
    const asking = this.#ask(query)
    if (!asking) return
    const asked = ++this.#asked
    this.#searching = true
    try {
      const answer = await asking
      if (asked !== this.#asked) return
      const ids = new Set<string>()
      this.#found = answer.items.filter(({ id }) => !ids.has(id) && ids.add(id))
      this.#foundFor = query
      this.#hasMore = answer.more === true
      this.#heldSince = answer.heldSince ?? null
      this.#problem = null
    } catch (thrown) {
      if (asked === this.#asked) this.#problem = asProblem(thrown)
    } finally {
      if (asked === this.#asked) this.#searching = false
    }
  }
}
