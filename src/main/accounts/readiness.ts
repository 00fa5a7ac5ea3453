import type { Connection } from '../../contract/bridge/values.ts'
import type { Connections } from './connections.ts'

type Listener = (connectionId: string) => void

export class Readiness {
  readonly #ready = new Set<string>()
  readonly #onReady: Listener[] = []
  readonly #onSignedOut: Listener[] = []

  constructor(connections: Pick<Connections, 'onChange'>) {
    connections.onChange((list) => this.#changed(list))
  }

  has(connectionId: string): boolean {
    return this.#ready.has(connectionId)
  }

  all(): string[] {
    return [...this.#ready]
  }

  /** Called once per connection that became usable. */
  onReady(listener: Listener): void {
    this.#onReady.push(listener)
  }

  /** Called with signed-out connections, at every change of any connection. */
  onSignedOut(listener: Listener): void {
    this.#onSignedOut.push(listener)
  }

  #changed(list: readonly Connection[]): void {
    for (const { id, state } of list) {
      if (state.kind === 'ready' && !this.#ready.has(id)) {
        this.#ready.add(id)
        for (const listener of this.#onReady) listener(id)
      } else if (state.kind !== 'ready') {
        this.#ready.delete(id)
        if (state.kind === 'signed-out') for (const listener of this.#onSignedOut) listener(id)
      }
    }
    for (const id of this.#ready) if (!list.some((connection) => connection.id === id)) this.#ready.delete(id)
  }
}
