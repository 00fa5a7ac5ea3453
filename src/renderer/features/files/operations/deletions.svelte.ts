import type { Deletion, ItemResult, KeptHere, ServerRef } from '../../../../contract/bridge/values.ts'
import { MORE_LOST } from '../../../../contract/bridge/problem.ts'
import { asProblem, call } from '../../../core/bridge.ts'
import { chunks } from './name-conflicts.svelte.ts'

/** A service that has a trash at one moment and none at the next is not asked without an end. */
const TRIES_MOST = 4

/** What is kept on this computer before a deletion; `all` that was said in a question. */
export type Keep = { keep: 'texts' } | { keep: 'all'; question: string }

/** Something is about to be deleted for good. */
export interface DeletionQuestion {
  paths: readonly string[]
  /** Files that are kept on this computer. */
  kept: number
  /** What of the first part cannot be kept: the first paths of so many. */
  lost: readonly string[]
  lostCount: number
  /** Of very many only the first part can be kept: how many that are, the last of them, and how many come after it. */
  part: { first: number; last: string; after: number } | null
  answer: (agreed: boolean) => void
}

/** What a deletion did. */
export interface Deleted {
  results: ItemResult[]
  /** Where each was that lies in the trash now, by id. */
  trash: ReadonlyMap<string, string>
  kept: KeptHere
}

/** Deletions at one server: into its trash without a word, or for good once a person has agreed. */
export class Deletions {
  readonly #server: ServerRef
  #question = $state.raw<DeletionQuestion | null>(null)
  /** The service was seen to have a trash. */
  #trash = false

  constructor(server: ServerRef) {
    this.#server = server
  }

  /** What is asked now, or null. */
  get question(): DeletionQuestion | null {
    return this.#question
  }

  /** Asks where it has to be asked. Answers what is to be kept here first; null where nothing is to be deleted. */
  async agree(paths: readonly string[]): Promise<Keep | null> {
    if (this.#trash) return { keep: 'texts' }
    const [some = [], ...others] = chunks(paths)
    const meant = await call('files.deletion', { ...this.#server, paths: some })
    this.#trash = meant.trash
    if (meant.trash) return { keep: 'texts' }
    const after = paths.length - some.length
    const part = others.length > 0 ? { first: some.length, last: some.at(-1) ?? '', after } : null
    return (await this.#ask(paths, meant, part)) ? { keep: 'all', question: meant.id } : null
  }

  /** Deletes what was agreed to. Where more would be lost by now than was known, it asks again first. */
  async send(paths: readonly string[], agreed: Keep): Promise<Deleted> {
    const results: ItemResult[] = []
    const trash = new Map<string, string>()
    const kept: KeptHere = { ids: [], folders: [] }
    let now: Keep | { keep: 'none' } = agreed
    let left = paths
    for (const some of chunks(paths)) {
      const removed = await this.#remove(left, some, now)
      if (!removed) break
      left = left.slice(some.length)
      const { answer, agreed } = removed
      // There is room for one part of a deletion; of the others the question has said so.
      now = agreed.keep === 'all' ? { keep: 'none' } : agreed
      results.push(...answer.results)
      for (const entry of answer.trash) trash.set(entry.id, entry.path)
      kept.ids.push(...answer.kept.ids)
      kept.folders.push(...answer.kept.folders)
    }
    if (trash.size === 0) this.#trash = false
    return { results, trash, kept }
  }

  /** Deletes the first part of what is left. Null where somebody who was asked again did not agree. */
  async #remove(left: readonly string[], some: string[], keep: Keep | { keep: 'none' }) {
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

  async bringBack({ ids, folders }: KeptHere): Promise<ItemResult[]> {
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
