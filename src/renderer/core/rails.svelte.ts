import type { Rail } from '../../contract/rules/rail/rail.ts'
import { call, on } from './bridge.ts'

/** The user's arrangement of servers by connection, stored on this computer. */
class Rails {
  #all = $state.raw<readonly Rail[]>([])

  start(): void {
    on('rail', (rail) => this.take(rail))
  }

  /** Throws a `Problem` and keeps the known state. */
  async read(): Promise<void> {
    this.#all = await call('rail.read')
  }

  of(connectionId: string): Rail | undefined {
    return this.#all.find((rail) => rail.connectionId === connectionId)
  }

  keepOf(connectionIds: ReadonlySet<string>): void {
    this.#all = this.#all.filter((rail) => connectionIds.has(rail.connectionId))
  }

  take(rail: Rail): void {
    this.#all = [...this.#all.filter(({ connectionId }) => connectionId !== rail.connectionId), rail]
  }
}

export const rails = new Rails()
