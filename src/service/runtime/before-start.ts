import { said } from './install-run.ts'
import type { Software } from '../software/software.ts'
import type { Stop } from '../base/change.ts'

/** What is done right before a server's program is started. Where it rejects, the server is not started. */
export type PrepareStart = (serverId: string) => Promise<void>

/** Throws a Refusal where a server may not be started now; then it is as it was, and has not crashed. */
export type MayStart = (serverId: string) => void

/** Who prepares servers for their start. */
export class BeforeStart {
  readonly #checks = new Set<MayStart>()
  readonly #acts = new Set<PrepareStart>()

  on(act: PrepareStart): Stop {
    this.#acts.add(act)
    return () => this.#acts.delete(act)
  }

  onlyWhere(check: MayStart): Stop {
    this.#checks.add(check)
    return () => this.#checks.delete(check)
  }

  /** Throws what says that a server may not be started now; `say` tells the console, for a start that nobody waits for. */
  require(serverId: string, say: (sentence: string) => void): void {
    try {
      for (const check of this.#checks) check(serverId)
    } catch (error) {
      say(said(error))
      throw error
    }
  }

  /** The same software, whose servers are prepared first: it asks for its program right before it starts that. */
  of(software: Software): Software {
    return {
      ...software,
      program: async (spec) => {
        for (const act of [...this.#acts]) await act(spec.id)
        return software.program(spec)
      },
    }
  }
}
