import type { z } from 'zod'
import type { events } from '../../contract/areas/console.ts'
import type { Sign } from '../worlds/log-lines.ts'

export type Players = z.input<typeof events.players>['players']

/** What a server's program said of a player, or that it ended, so that nobody is there any more. */
export type PlayerNews = Extract<Sign, { name: string }> | { kind: 'down' }

/** Players that are counted at most: a program can say of anybody that they joined, and each change tells all names. */
const PLAYERS_MOST = 1000

/** Who plays on a server now, as its program says. */
export class OnlinePlayers {
  /** How many the software lets in. */
  max: number
  readonly #names = new Set<string>()

  constructor(max: number) {
    this.max = max
  }

  get count(): { online: number; max: number } {
    return { online: this.#names.size, max: this.max }
  }

  get all(): Players {
    return { ...this.count, names: [...this.#names] }
  }

  joined(name: string): void {
    if (this.#names.size < PLAYERS_MOST) this.#names.add(name)
  }

  left(name: string): void {
    this.#names.delete(name)
  }

  /** Whether anybody was there. */
  clear(): boolean {
    const wasAnybody = this.#names.size > 0
    this.#names.clear()
    return wasAnybody
  }
}
