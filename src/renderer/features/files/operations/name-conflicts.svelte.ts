import type { Conflict, ItemResult } from '../../../../contract/bridge/values.ts'
import { asProblem } from '../../../core/bridge.ts'

const AT_ONCE = 1000

export type Choice = Exclude<Conflict, 'refuse'>

export interface Question {
  path: string
  others: number
  answer: (choice: Choice | null, forAll: boolean) => void
}

export interface Item {
  key: string
  to: string
}
export type ItemSender<T> = (items: T[], conflict: Conflict) => Promise<ItemResult[]>

export class NameConflicts {
  #question = $state.raw<Question | null>(null)

  get question(): Question | null {
    return this.#question
  }

  /** Sends all items, then resends conflicting ones as the user decided. */
  async each<T extends Item>(items: T[], send: ItemSender<T>): Promise<ItemResult[]> {
    const first = await sendAll(items, 'refuse', send)
    const taken = new Set(first.filter(isTaken).map((result) => result.path))
    const chosen = await this.#choose(items.filter((item) => taken.has(item.key)))
    const results = first.filter((result) => !taken.has(result.path))
    for (const [choice, some] of chosen) results.push(...(await sendAll(some, choice, send)))
    return results
  }

  /** Asks about each conflict. Unanswered items are skipped. */
  async #choose<T extends Item>(taken: T[]): Promise<Map<Choice, T[]>> {
    const chosen = new Map<Choice, T[]>()
    let forAll: Choice | null = null
    for (const [index, item] of taken.entries()) {
      let choice: Choice | null = forAll
      if (choice === null) {
        const answer = await this.#ask(item.to, taken.length - index - 1)
        if (answer.choice === null) break
        choice = answer.choice
        if (answer.forAll) forAll = choice
      }
      if (choice !== 'skip') chosen.set(choice, [...(chosen.get(choice) ?? []), item])
    }
    return chosen
  }

  #ask(path: string, others: number): Promise<{ choice: Choice | null; forAll: boolean }> {
    return new Promise((resolve) => {
      const answer = (choice: Choice | null, forAll: boolean) => {
        this.#question = null
        resolve({ choice, forAll })
      }
      this.#question = { path, others, answer }
    })
  }
}

function isTaken(result: ItemResult): boolean {
  return result.outcome === 'failed' && result.error?.code === 'files.exists'
}

/** If a service refuses the whole call because of a name, all its items count as conflicts. */
export async function sendAll<T extends Item>(
  items: T[],
  conflict: Conflict,
  send: ItemSender<T>,
): Promise<ItemResult[]> {
  const results: ItemResult[] = []
  for (const some of chunks(items)) {
    try {
      results.push(...(await send(some, conflict)))
    } catch (thrown) {
      const problem = asProblem(thrown)
      if (problem.serviceCode !== 'files.exists') throw thrown
      const { message, text } = problem
      const error = { code: 'files.exists', message, ...(text && { text }) }
      results.push(...some.map((item): ItemResult => ({ path: item.key, outcome: 'failed', error })))
    }
  }
  return results
}

export function chunks<T>(items: readonly T[]): T[][] {
  const parts: T[][] = []
  for (let at = 0; at < items.length; at += AT_ONCE) parts.push(items.slice(at, at + AT_ONCE))
  return parts
}
