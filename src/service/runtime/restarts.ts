import type { ManagedServer } from './managed-server.ts'

/** A server is started again so many times within so many milliseconds, and then no more. */
const MOST = 3
const WITHIN_MS = 10 * 60_000

/** Starts servers again that have crashed, where their owners want that. */
export class Restarts {
  /** When each server was started again, in milliseconds of a clock that nobody sets. */
  readonly #times = new Map<string, number[]>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** To be called when a server has crashed. */
  crashed(server: ManagedServer): void {
    const { id, autoRestart } = server.spec
    if (!autoRestart) return
    const now = this.#now()
    const times = (this.#times.get(id) ?? []).filter((at) => now - at < WITHIN_MS)
    this.#times.set(id, times)
    const say = (sentence: string) => server.console.append([sentence], 'service')
    if (times.length >= MOST) {
      say(
        `The server has crashed ${MOST + 1} times in ${WITHIN_MS / 60_000} minutes. It is not started again by itself: find out why first.`,
      )
      return
    }
    times.push(now)
    say(
      `The server is started again by itself (${times.length} of ${MOST} in ${WITHIN_MS / 60_000} minutes).`,
    )
    // Once what the crash itself has to do is done. Why it cannot be started stands in its console.
    setImmediate(() => {
      if (server.status().status === 'crashed') void server.power('start').catch(() => undefined)
    })
  }

  /** A server is gone. */
  forget(serverId: string): void {
    this.#times.delete(serverId)
  }
}
