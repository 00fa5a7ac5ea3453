import type { SearchHit, ServerRef } from '../../../../contract/bridge/values.ts'
import { asProblem, readOnce, type Problem } from '../../../core/bridge.ts'

export type SearchState =
  | { kind: 'idle' }
  | { kind: 'looking' }
  /** `leftOut`: number of unreadable results. */
  | { kind: 'found'; hits: SearchHit[]; more: boolean | 'perhaps'; leftOut: number }
  | { kind: 'failed'; problem: Problem }

export type SearchedIn = 'name' | 'text'

/** Searches names or contents below a folder. Only the latest query counts. */
export class FileSearch {
  query = $state('')
  within = $state<SearchedIn>('name')
  opened: number | null = null
  #state = $state.raw<SearchState>({ kind: 'idle' })
  #server: ServerRef
  #asked = 0

  constructor(server: ServerRef) {
    this.#server = server
  }

  get state(): SearchState {
    return this.#state
  }

  /** `again`: retry even if the service is known not to support it. */
  async run(path: string, again = false): Promise<void> {
    const words = this.within === 'name' ? this.query.trim() : this.query
    if (words === '') return
    const question = ++this.#asked
    this.opened = null
    this.#state = { kind: 'looking' }
    let next: SearchState
    try {
      const { connectionId, serverId } = this.#server
      const asked = { connectionId, params: { serverId }, query: { path, [this.within]: words } }
      const { items, more, leftOut } = await readOnce('files.search', asked, again)
      next = { kind: 'found', hits: items, more, leftOut: leftOut.length }
    } catch (thrown) {
      next = { kind: 'failed', problem: asProblem(thrown) }
    }
    if (question === this.#asked) this.#state = next
  }

  stop(): void {
    this.#asked += 1
    this.#state = { kind: 'idle' }
  }

  clear(): void {
    this.stop()
    this.query = ''
    this.within = 'name'
    this.opened = null
  }
}
