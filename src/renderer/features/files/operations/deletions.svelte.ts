import type { Deletion, ItemResult, SavedVersions, ServerRef } from '../../../../contract/bridge/values.ts'
import { MORE_LOST } from '../../../../contract/bridge/problem.ts'
import { asProblem, call } from '../../../core/bridge.ts'
import { chunks } from './name-conflicts.svelte.ts'

/** Limits retries if the service's trash comes and goes. */
const TRIES_MOST = 4

/** What to keep locally before deleting; `all` was agreed to in a question. */
export type SaveChoice = { keep: 'texts' } | { keep: 'all'; question: string }

export interface DeletionQuestion {
  paths: readonly string[]
  kept: number
  /** The first paths that cannot be kept, out of the first part. */
  lost: readonly string[]
  lostCount: number
  /** Of very many paths only a part can be kept: its size, its last path, and how many follow. */
  part: { first: number; last: string; after: number } | null
  answer: (agreed: boolean) => void
}

export interface DeletionResult {
  results: ItemResult[]
  /** Original paths of trashed entries, by ID. */
  trash: ReadonlyMap<string, string>
  kept: SavedVersions
}

/** Deletes at one server: into its trash silently, or permanently after a confirmation. */
export class Deletions {
  readonly #server: ServerRef
  #question = $state.raw<DeletionQuestion | null>(null)
  #trash = false

  constructor(server: ServerRef) {
    this.#server = server
  }

  get question(): DeletionQuestion | null {
    return this.#question
  }

  /** Confirms if needed. Returns what to keep locally, or null if canceled. */
  async agree(paths: readonly string[]): Promise<SaveChoice | null> {
    if (this.#trash) return { keep: 'texts' }
    const [some = [], ...others] = chunks(paths)
    const meant = await call('files.deletion', { ...this.#server, paths: some })
    this.#trash = meant.trash
    if (meant.trash) return { keep: 'texts' }
    const after = paths.length - some.length
    const part = others.length > 0 ? { first: some.length, last: some.at(-1) ?? '', after } : null
    return (await this.#ask(paths, meant, part)) ? { keep: 'all', question: meant.id } : null
  }

  /** Deletes as agreed. Confirms again if more would be lost than was known. */
  async send(paths: readonly string[], agreed: SaveChoice): Promise<DeletionResult> {
    const results: ItemResult[] = []
    const trash = new Map<string, string>()
    const kept: SavedVersions = { ids: [], folders: [] }
    let now: SaveChoice | { keep: 'none' } = agreed
    let left = paths
    for (const some of chunks(paths)) {
      const removed = await this.#remove(left, some, now)
      if (!removed) break
      left = left.slice(some.length)
      const { answer, agreed } = removed
      // Only one part can be kept; the question said so.
      now = agreed.keep === 'all' ? { keep: 'none' } : agreed
      results.push(...answer.results)
      for (const entry of answer.trash) trash.set(entry.id, entry.path)
      kept.ids.push(...answer.kept.ids)
      kept.folders.push(...answer.kept.folders)
    }
    if (trash.size === 0) this.#trash = false
    return { results, trash, kept }
  }

  /** Deletes the first part of what is left. Null if a further confirmation was declined. */
  async #remove(left: readonly string[], some: string[], keep: SaveChoice | { keep: 'none' }) {
    let agreed: typeof keep | null = keep
    for (let tries = 1; agreed; tries++) {
      try {
        return { answer: await call('files.remove', { ...this.#server, paths: some, ...agreed }), agreed }
      } catch (thrown) {
        if (asProblem(thrown).serviceCode !== MORE_LOST || tries === TRIES_MOST) throw thrown
        this.#trash = false
        agreed = await this.agree(left)
      }
    }
    return null
  }

  async bringBack({ ids, folders }: SavedVersions): Promise<ItemResult[]> {
    return (await call('files.bring-back', { ...this.#server, ids, folders })).results
  }

  #ask(
    paths: readonly string[],
    { kept, lost, lostCount }: Deletion & { trash: false },
    part: DeletionQuestion['part'],
  ): Promise<boolean> {
    return new Promise((resolve) => {
      const answer = (agreed: boolean) => {
        this.#question = null
        resolve(agreed)
      }
      this.#question = { paths, kept, lost, lostCount, part, answer }
    })
  }
}
