import type { FoundExtension } from '../../../../contract/bridge/values.ts'
import { asProblem, type Problem, readOnce } from '../../../core/bridge.ts'
import type { ServerState } from '../../../core/server-state.svelte.ts'

/** How long nobody types before it is searched, in ms. */
const PAUSE = 300

/** Search in the catalogs for what fits a server. */
export class Finder {
  readonly #server: ServerState
  text = $state('')
  #found = $state.raw<readonly FoundExtension[] | null>(null)
  /** What was searched for when this was found. */
  #foundFor = $state('')
  #hasMore = $state(false)
  #problem = $state.raw<Problem | null>(null)
  #searching = $state(false)
  /** Only the answer to the last question counts. */
  #asked = 0

  constructor(server: ServerState) {
    this.#server = server
  }

  get found(): readonly FoundExtension[] | null {
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

  /** What is searched for; null while it is not known what the server runs. */
  readonly fits = $derived.by(() => {
    const software = this.#server.server?.software
    return software?.version ? { software: software.id, version: software.version } : null
  })

  /** Searches once nobody types any more. Answers what calls it off. */
  soon(): () => void {
    const timer = setTimeout(() => void this.search(), this.#found === null ? 0 : PAUSE)
    return () => clearTimeout(timer)
  }

  /** Never throws: what goes wrong is in `problem`. */
  async search(): Promise<void> {
    const { fits } = this
    if (!fits) return
    const query = this.text.trim()
    const asked = ++this.#asked
    this.#searching = true
    try {
      const { connectionId } = this.#server
      const answer = await readOnce('extensions.search', { connectionId, query: { query, ...fits } })
      if (asked !== this.#asked) return
      const ids = new Set<string>()
      this.#found = answer.items.filter(({ id }) => !ids.has(id) && ids.add(id))
      this.#foundFor = query
      this.#hasMore = answer.more === true
      this.#problem = null
    } catch (thrown) {
      if (asked !== this.#asked) return
      this.#problem = asProblem(thrown)
    } finally {
      if (asked === this.#asked) this.#searching = false
    }
  }
}
