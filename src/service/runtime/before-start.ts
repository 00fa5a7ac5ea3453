import type { Software } from '../software/software.ts'
import type { Stop } from './change.ts'

/** What is done right before a server's program is started. Where it rejects, the server is not started. */
export type PrepareStart = (serverId: string) => Promise<void>

/** Who prepares servers for their start. */
export class BeforeStart {
  readonly #acts = new Set<PrepareStart>()

  on(act: PrepareStart): Stop {
    this.#acts.add(act)
    return () => this.#acts.delete(act)
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
