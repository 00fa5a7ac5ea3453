import type { RelocationPreview } from '../../../contract/bridge/relocation-calls.ts'
import type { ServerRef } from '../../../contract/bridge/values.ts'
import { askedMoveIn } from '../../core/asked.svelte.ts'
import { asProblem, call, type Problem } from '../../core/bridge.ts'
import { panel } from '../../core/panel.svelte.ts'
import { go } from '../../core/routes/router.svelte.ts'
import type { MoveTarget } from './targets.ts'

/** What a server is moved with: where to, and what was agreed to. */
export class MoveDraft {
  readonly from: ServerRef
  target = $state.raw<MoveTarget | null>(null)
  empties = $state(false)
  areStopped = $state(false)
  #preview = $state.raw<RelocationPreview | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #busy = $state(false)

  constructor(from: ServerRef) {
    this.from = from
  }

  get preview(): RelocationPreview | null {
    return this.#preview
  }

  get problem(): Problem | null {
    return this.#problem
  }

  get busy(): boolean {
    return this.#busy
  }

  /** Also after a server was stopped. */
  look(): Promise<void> {
    const to = this.target?.kind === 'server' ? this.target.ref : null
    return this.#during(async () => {
      this.#preview = await call('relocations.preview', { from: this.from, to })
    })
  }

  back(): void {
    this.#preview = null
    this.#problem = null
    this.areStopped = false
  }

  /** Returns true once it is on its way. */
  async begin(name: string): Promise<boolean> {
    const { from, target, empties, areStopped } = this
    await this.#during(async () => {
      if (target?.kind === 'server')
        await call('relocations.begin', { from, to: target.ref, empties, areStopped })
      else if (target) await moveInto(target.connectionId, { ...from, name })
    })
    return this.#problem === null
  }

  async #during(work: () => Promise<void>): Promise<void> {
    this.#busy = true
    this.#problem = null
    try {
      await work()
    } catch (thrown) {
      this.#problem = asProblem(thrown)
    }
    this.#busy = false
  }
}

/** Goes on as moving in any other server. `connectionId` null: this computer. Throws a `Problem`. */
export async function moveInto(
  connectionId: string | null,
  what: ServerRef & { id?: string; name: string },
): Promise<void> {
  let id = connectionId
  if (id === null) {
    const local = await call('connections.this-computer')
    panel.take(local)
    id = local.id
  }
  askedMoveIn.ask({ connectionId: id }, what)
  go({ view: 'create', connectionId: id })
}
