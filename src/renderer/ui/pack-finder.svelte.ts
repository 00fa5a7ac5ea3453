import type { FoundPack } from '../../contract/bridge/values.ts'
import { asProblem, type Problem, readOnce } from '../core/bridge.ts'

/** How long nobody types before it is searched, in ms. */
const PAUSE = 300

/** Search for modpacks. */
export class PackFinder {
  readonly #connectionId: string
  text = $state('')
  #found = $state.raw<readonly FoundPack[] | null>(null)
  /** What was searched for when this was found. */
  #foundFor = $state('')
  #hasMore = $state(false)
  #problem = $state.raw<Problem | null>(null)
  #searching = $state(false)
  /** Only the answer to the last question counts. */
  #asked = 0

  constructor(connectionId: string) {
    this.#connectionId = connectionId
  }

  get found(): readonly FoundPack[] | null {
    return this.#found
  }
  get foundFor(): string {
    return this.#foundFor
  }
  get hasMore(): boolean {
    return this.#hasMore
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
    const asked = ++this.#asked
    this.#searching = true
    try {
      const answer = await readOnce('modpacks.search', { connectionId: this.#connectionId, query: { query } })
      if (asked !== this.#asked) return
      const ids = new Set<string>()
      this.#found = answer.items.filter(({ id }) => !ids.has(id) && ids.add(id))
      this.#foundFor = query
      this.#hasMore = answer.more === true
      this.#problem = null
    } catch (thrown) {
      if (asked === this.#asked) this.#problem = asProblem(thrown)
    } finally {
      if (asked === this.#asked) this.#searching = false
    }
  }
}
