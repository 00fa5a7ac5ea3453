import { randomUUID } from 'node:crypto'
import { parentOf } from '../../../contract/rules/paths.ts'

/** Questions that can be on screens at a time; of older ones the answer is asked for again. */
const QUESTIONS_MOST = 10
/** Paths of one question that are remembered one by one; of more, the folders they lie in. */
const PATHS_MOST = 20_000

/** What questions before deletions named as what cannot be kept, so that an agreement covers that and nothing else. */
export class AgreedDeletions {
  /** The oldest question first. */
  readonly #asked = new Map<string, ReadonlySet<string>>()

  /** Remembers what a question named. Answers the name of the question. */
  ask(lost: readonly string[]): string {
    const id = randomUUID()
    this.#asked.set(id, new Set(lost.length > PATHS_MOST ? lost.map(parentOf) : lost))
    const [oldest] = this.#asked.keys()
    if (this.#asked.size > QUESTIONS_MOST && oldest !== undefined) this.#asked.delete(oldest)
    return id
  }

  /** Whether all that would be lost now was named by a question. */
  covers(id: string | undefined, lost: readonly string[]): boolean {
    const named = id === undefined ? undefined : this.#asked.get(id)
    return lost.every((path) => named?.has(path) === true || named?.has(parentOf(path)) === true)
  }
}
