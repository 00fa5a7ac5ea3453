import type { Problem } from '../../contract/bridge/problem.ts'
import { PanelProblem } from '../base/problem.ts'

export type Reachability = { kind: 'reached' } | { kind: 'failed'; problem: Problem }

/** Reports reachability in the order in which exchanges began, not ended. */
export class ReachabilityTracker {
  readonly #tell: (reach: Reachability) => void
  #begun = 0
  #reached = 0

  constructor(tell: (reach: Reachability) => void) {
    this.#tell = tell
  }

  begin(): { reached(): void; failed(fault: unknown): void } {
    const at = ++this.#begun
    return {
      reached: () => {
        this.#reached = Math.max(this.#reached, at)
        this.#tell({ kind: 'reached' })
      },
      failed: (fault) => {
        const away = fault instanceof PanelProblem && ['offline', 'untrusted'].includes(fault.problem.code)
        // Ignore a failure if a later exchange got through.
        if (away && at > this.#reached) this.#tell({ kind: 'failed', problem: fault.problem })
      },
    }
  }
}
