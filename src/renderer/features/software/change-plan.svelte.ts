import { asProblem, readOnce, type Problem } from '../../core/bridge.ts'
import type { ServerState } from '../../core/servers/server-state.svelte.ts'
import type { Plan } from './plan-words.ts'

export type PlanState =
  | { kind: 'loading' }
  | { kind: 'shown'; plan: Plan }
  | { kind: 'not-offered' }
  | { kind: 'failed'; problem: Problem }

/** Effects of a software change; asked for each choice, and the latest counts. */
export class ChangePlan {
  readonly #server: ServerState
  #state = $state.raw<PlanState>({ kind: 'loading' })
  #asked = 0

  constructor(server: ServerState) {
    this.#server = server
  }

  get state(): PlanState {
    return this.#state
  }

  async ask(software: { id: string; version: string; build?: string }): Promise<void> {
    const { connectionId, serverId } = this.#server
    const asked = ++this.#asked
    this.#state = { kind: 'loading' }
    let state: PlanState
    try {
      const plan = await readOnce('software.plan', { connectionId, params: { serverId }, query: software })
      state = { kind: 'shown', plan }
    } catch (thrown) {
      const problem = asProblem(thrown)
      state = problem.code === 'unavailable' ? { kind: 'not-offered' } : { kind: 'failed', problem }
    }
    if (asked === this.#asked) this.#state = state
  }
}
