import type { Problem } from '../../contract/bridge/problem.ts'
import { PanelProblem } from '../base/problem.ts'

/** How a service was found at an exchange. */
export type Reach = { kind: 'reached' } | { kind: 'failed'; problem: Problem }

/** Tells how a service is found, in the order in which the exchanges began and not in that of their ends. */
export class Reaches {
  readonly #tell: (reach: Reach) => void
  #begun = 0
  /** The latest exchange that reached the service. */
  #reached = 0

  constructor(tell: (reach: Reach) => void) {
    this.#tell = tell
  }

  /** An exchange begins; what is answered is told how it went. */
  begin(): { reached(): void; failed(fault: unknown): void } {
    const at = ++this.#begun
    return {
      reached: () => {
        this.#reached = Math.max(this.#reached, at)
        this.#tell({ kind: 'reached' })
      },
      failed: (fault) => {
        const away = fault instanceof PanelProblem && ['offline', 'untrusted'].includes(fault.problem.code)
        // A later exchange reached the service: what broke before it says nothing of now.
        if (away && at > this.#reached) this.#tell({ kind: 'failed', problem: fault.problem })
      },
    }
  }
}
