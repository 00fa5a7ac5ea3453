import type { PlayersEvent } from '../facts.ts'
import { MINUTE } from './alert-gate.ts'

interface PlayerGatheringPorts {
  tell: (event: PlayersEvent) => void
  /** Monotonic, ms. */
  elapsed: () => number
  after: (ms: number, run: () => void) => () => void
}

/** Tells who joined and left a server at once, and then once a minute, added up. */
export class PlayerGathering {
  readonly #ports: PlayerGatheringPorts
  readonly #waiting = new Map<string, PlayersEvent>()
  readonly #told = new Map<string, number>()
  readonly #timers = new Set<() => void>()

  constructor(ports: PlayerGatheringPorts) {
    this.#ports = ports
  }

  take(event: PlayersEvent): void {
    const key = `${event.kind} ${event.connectionId} ${event.server.id}`
    const before = this.#waiting.get(key)
    this.#waiting.set(key, before ? { ...event, count: before.count + event.count } : event)
    if (before) return
    const { elapsed, after } = this.#ports
    const since = elapsed() - (this.#told.get(key) ?? -MINUTE)
    if (since >= MINUTE) return this.#tell(key)
    const callOff = after(MINUTE - since, () => {
      this.#timers.delete(callOff)
      this.#tell(key)
    })
    this.#timers.add(callOff)
  }

  stop(): void {
    for (const callOff of this.#timers) callOff()
  }

  #tell(key: string): void {
    const event = this.#waiting.get(key)
    this.#waiting.delete(key)
    const now = this.#ports.elapsed()
    for (const [other, at] of this.#told) if (now - at >= MINUTE) this.#told.delete(other)
    this.#told.set(key, now)
    if (event) this.#ports.tell(event)
  }
}
