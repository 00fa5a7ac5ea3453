import { said } from './install-run.ts'
import type { Say, Software } from '../software/software.ts'
import type { Stop } from '../base/change.ts'

/** Rejecting prevents the start. */
export type StartPreparation = (serverId: string) => Promise<void>

/** Throws a Refusal to prevent a start; that doesn't count as a crash. */
export type StartCheck = (serverId: string) => void

export class StartHooks {
  readonly #checks = new Set<StartCheck>()
  readonly #acts = new Set<StartPreparation>()
  readonly #frees = new Set<StartPreparation>()

  on(act: StartPreparation): Stop {
    this.#acts.add(act)
    return () => this.#acts.delete(act)
  }

  /** Called before its port is looked at. */
  onPort(act: StartPreparation): Stop {
    this.#frees.add(act)
    return () => this.#frees.delete(act)
  }

  async freePort(serverId: string): Promise<void> {
    for (const free of [...this.#frees]) await free(serverId)
  }

  onlyWhere(check: StartCheck): Stop {
    this.#checks.add(check)
    return () => this.#checks.delete(check)
  }

  /** Throws if a server may not start; `say` tells the console, for starts nobody waits for. */
  require(serverId: string, say: Say): void {
    try {
      for (const check of this.#checks) check(serverId)
    } catch (error) {
      say(said(error))
      throw error
    }
  }

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
