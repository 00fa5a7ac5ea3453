import type { ManagedServer } from './managed-server.ts'
import { refusalText } from '../../contract/messages/refusals/index.ts'

/** At most this many restarts within this many ms. */
const MOST = 3
const WITHIN_MS = 10 * 60_000

/** Restarts crashed servers, if their owners want that. */
export class Restarts {
  readonly #times = new Map<string, number[]>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  crashed(server: ManagedServer): void {
    const { id, autoRestart } = server.spec
    if (!autoRestart) return
    const now = this.#now()
    const times = (this.#times.get(id) ?? []).filter((at) => now - at < WITHIN_MS)
    this.#times.set(id, times)
    const minutes = WITHIN_MS / 60_000
    if (times.length >= MOST) {
      server.console.say([refusalText('console.no-more', { crashes: MOST + 1, minutes })])
      return
    }
    times.push(now)
    server.console.say([refusalText('console.again', { attempt: times.length, most: MOST, minutes })])
    // After the crash is handled. The console has the reason if this fails.
    setImmediate(() => {
      if (server.status().status === 'crashed') void server.power('start').catch(() => undefined)
    })
  }

  forget(serverId: string): void {
    this.#times.delete(serverId)
  }
}
