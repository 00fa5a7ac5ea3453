import { refusalText } from '../../../contract/messages/refusals/index.ts'
import type { Say } from '../../software/software.ts'
import type { StopLimits } from './driver.ts'

interface Steps {
  write: (command: string) => boolean
  /** Null where programs can't be asked to end. */
  askToEnd: (() => void) | null
  kill: () => void
  /** Settles once the program has ended. */
  exited: Promise<unknown>
}

/** Command, TERM, KILL, each after its limit. */
export class StopSteps {
  readonly #steps: Steps
  readonly #killed = new AbortController()
  #begun = false

  constructor(steps: Steps) {
    this.#steps = steps
  }

  /** Aborted on KILL. */
  get hurry(): AbortSignal {
    return this.#killed.signal
  }

  /** Call again to hurry: TERM now. */
  stop(command: string | null, limits: StopLimits, told: Say): void {
    if (!this.#begun) {
      this.#begun = true
      void this.#inTurn(command, limits, told)
    } else if (!this.hurry.aborted) {
      this.#steps.askToEnd?.()
      void this.#exitedWithin(limits.termMs).then((exited) => exited || this.#steps.kill())
    }
  }

  /** No more steps: it is killed. */
  kill(): void {
    this.#begun = true
    this.#killed.abort()
  }

  async #inTurn(command: string | null, limits: StopLimits, told: Say): Promise<void> {
    const { write, askToEnd, kill } = this.#steps
    if (command !== null && write(command) && (await this.#exitedWithin(limits.commandMs))) return
    if (this.hurry.aborted) return
    if (askToEnd) {
      if (command !== null) told(refusalText('console.asked-to-end', { count: limits.commandMs / 1000 }))
      askToEnd()
      if ((await this.#exitedWithin(limits.termMs)) || this.hurry.aborted) return
    }
    told(refusalText('console.made-to-end', { count: limits.termMs / 1000 }))
    kill()
  }

  /** False immediately on KILL. */
  #exitedWithin(limitMs: number): Promise<boolean> {
    const limit = AbortSignal.any([this.hurry, AbortSignal.timeout(Math.max(1, limitMs))])
    const over = new Promise<false>((resolve) => limit.addEventListener('abort', () => resolve(false)))
    return Promise.race([this.#steps.exited.then(() => true), over])
  }
}
