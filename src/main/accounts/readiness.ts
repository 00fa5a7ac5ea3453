import type { Connection } from '../../contract/bridge/values.ts'
import type { Connections } from './connections.ts'

type Listener = (connectionId: string) => void

/** Which connections can be used now, and who is to be told when one comes to be so, or is signed out. */
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

  /** `listener` is told once of each connection that came to be usable. */
  onReady(listener: Listener): void {
    this.#onReady.push(listener)
  }

  /** `listener` is told of a connection that waits for a sign-in, at every change of any. */
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
