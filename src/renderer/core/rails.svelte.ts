import type { Rail } from '../../contract/rules/rail.ts'
import { call, on } from './bridge.ts'

/** How the servers of each connection are arranged in the list; kept on this computer. */
class Rails {
  #all = $state.raw<readonly Rail[]>([])

  start(): void {
    on('rail', (rail) => this.take(rail))
  }

  /** Throws a `Problem`; what was known is then as it was. */
  async read(): Promise<void> {
    this.#all = await call('rail.read')
  }

  /** That of a connection; undefined where nobody arranged anything. */
  of(connectionId: string): Rail | undefined {
    return this.#all.find((rail) => rail.connectionId === connectionId)
  }

  /** Forgets connections other than these. */
  keepOf(connectionIds: ReadonlySet<string>): void {
    this.#all = this.#all.filter((rail) => connectionIds.has(rail.connectionId))
  }

  /** Takes the arrangement of a connection as it is now. */
  take(rail: Rail): void {
    this.#all = [...this.#all.filter(({ connectionId }) => connectionId !== rail.connectionId), rail]
  }
}

/** Those of this window. */
export const rails = new Rails()
