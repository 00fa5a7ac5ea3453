import { randomUUID } from 'node:crypto'
import { parentOf } from '../../../contract/rules/paths.ts'

const QUESTIONS_MOST = 10
const PATHS_MOST = 20_000

/** Remembers which losses a question named, so that the consent covers nothing else. */
export class AgreedDeletions {
  readonly #asked = new Map<string, ReadonlySet<string>>()

  /** Returns the question's id. */
  ask(lost: readonly string[]): string {
    const id = randomUUID()
    this.#asked.set(id, new Set(lost.length > PATHS_MOST ? lost.map(parentOf) : lost))
    const [oldest] = this.#asked.keys()
    if (this.#asked.size > QUESTIONS_MOST && oldest !== undefined) this.#asked.delete(oldest)
    return id
  }

  covers(id: string | undefined, lost: readonly string[]): boolean {
    const named = id === undefined ? undefined : this.#asked.get(id)
    return lost.every((path) => named?.has(path) === true || named?.has(parentOf(path)) === true)
  }
}
