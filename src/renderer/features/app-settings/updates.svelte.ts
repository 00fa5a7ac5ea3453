import type { CallName, CallInput } from '../../../contract/bridge/calls.ts'
import type { RunningWork, Updates } from '../../../contract/bridge/update-calls.ts'
import { asProblem, call, on, type Problem } from '../../core/bridge.ts'
import { notifyProblem } from '../../ui/feedback/notices.svelte.ts'

export class ShownUpdates {
  #now = $state.raw<Updates | null>(null)
  #problem = $state.raw<Problem | null>(null)
  /** What installing would stop; set while the user is asked. */
  wouldStop = $state.raw<RunningWork | null>(null)
  busy = $state(false)

  get now(): Updates | null {
    return this.#now
  }

  get problem(): Problem | null {
    return this.#problem
  }

  /** Reads and follows changes; returns a stop function. */
  start(): () => void {
    void this.read()
    return on('updates', (now) => (this.#now = now))
  }

  async read(): Promise<void> {
    try {
      this.#now = await call('updates.read')
      this.#problem = null
    } catch (thrown) {
      this.#problem = asProblem(thrown)
    }
  }

  async install(stop: boolean): Promise<void> {
    await this.#during(async () => {
      const answer = await call('updates.install', { stop })
      this.wouldStop = answer.kind === 'would-stop' ? answer.running : null
    })
  }

  async act<N extends Exclude<Extract<CallName, `updates.${string}`>, 'updates.install'>>(
    name: N,
    input: CallInput<N>,
  ): Promise<void> {
    await this.#during(async () => {
      this.#now = await call(name as 'updates.change', input as never)
    })
  }

  async #during(work: () => Promise<void>): Promise<void> {
    this.busy = true
    try {
      await work()
    } catch (thrown) {
      notifyProblem(thrown)
    } finally {
      this.busy = false
    }
  }
}
