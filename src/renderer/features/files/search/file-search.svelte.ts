import type { SearchHit, ServerRef } from '../../../../contract/bridge/values.ts'
import { asProblem, readOnce, type Problem } from '../../../core/bridge.ts'

export type SearchState =
  | { kind: 'idle' }
  | { kind: 'looking' }
  /** `leftOut`: number of unreadable results. */
  | { kind: 'found'; hits: SearchHit[]; more: boolean | 'perhaps'; leftOut: number }
  | { kind: 'failed'; problem: Problem }

/** Searches names and contents below a folder. Only the latest query counts. */
export class FileSearch {
  name = $state('')
  text = $state('')
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

  get ready(): boolean {
    return this.name.trim() !== '' || this.text !== ''
  }

  /** `again`: retry even if the service is known not to support it. */
  async run(path: string, again = false): Promise<void> {
    if (!this.ready) return
    const question = ++this.#asked
    this.opened = null
    this.#state = { kind: 'looking' }
    const name = this.name.trim() === '' ? undefined : this.name.trim()
    const text = this.text === '' ? undefined : this.text
    let next: SearchState
    try {
      const { connectionId, serverId } = this.#server
      const asked = { connectionId, params: { serverId }, query: { path, name, text } }
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
    this.name = ''
    this.text = ''
    this.opened = null
  }
}
