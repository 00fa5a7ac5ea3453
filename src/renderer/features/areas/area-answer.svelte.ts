import { createSubscriber } from 'svelte/reactivity'
import type { AreaState } from '../../../contract/bridge/values.ts'
import { AskAgain } from '../../ask-again.ts'
import { asProblem, call, type CallInput } from '../../bridge.ts'

export type AreaName = CallInput<'areas.read'>['area']

/** Whether a service offers an area, as it was answered last. It asks when it is made, and again while it is shown and failed. */
export class AreaAnswer {
  #state = $state.raw<AreaState | null>(null)
  #asking = $state(false)
  #askAgain: AskAgain
  #subscribe: () => void
  #question: { connectionId: string; serverId: string; area: AreaName }

  constructor(connectionId: string, serverId: string, area: AreaName) {
    this.#question = { connectionId, serverId, area }
    this.#askAgain = new AskAgain(connectionId, () => void this.ask(false))
    this.#subscribe = createSubscriber(() => this.#askAgain.start())
    void this.ask(false)
  }

  /** The answer, or null until there is one. */
  get state(): AreaState | null {
    this.#subscribe()
    return this.#state
  }

  get asking(): boolean {
    return this.#asking
  }

  /** Asks; with `again` the service itself, whatever main remembers. */
  async ask(again: boolean): Promise<void> {
    this.#asking = true
    try {
      this.#state = await call('areas.read', { ...this.#question, again })
    } catch (thrown) {
      this.#state = { kind: 'failed', problem: asProblem(thrown) }
    } finally {
      this.#asking = false
    }
    if (this.#state.kind === 'failed') this.#askAgain.failed(this.#state.problem)
    else this.#askAgain.succeeded()
  }
}
