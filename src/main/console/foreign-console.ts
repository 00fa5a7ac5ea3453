import type { LineBatch } from '../../contract/bridge/values.ts'
import type { LineId } from '../../contract/rules/line-ids.ts'
import { batchOf, type ForeignLine, OWN_EPOCH } from './columns.ts'
import { keyOf, overlapOf } from './overlap.ts'

/** Lines kept to tell which of an answer were there before. */
const SEEN_MOST = 5000

/**
 * A console of a service whose ids say nothing of their order, or that gives none. Its lines get ids of the panel's own,
 * in the order they come; whether some are missing in between nobody can know, so nothing is said of it.
 */
export class ForeignConsole {
  #seen: ForeignLine[]
  /** What the lines with ids say, by id; those seen last at the end. */
  readonly #said = new Map<string, string>()
  #last: LineId
  /** What comes next may repeat what was there before. */
  #anew = true
  #places = true

  /** @param last the id that the panel gave to the last of them; null where they had others */
  constructor(seen: readonly ForeignLine[], last: LineId | null) {
    this.#seen = seen.slice(-SEEN_MOST)
    this.#last = last ?? { epoch: `${OWN_EPOCH}${Date.now().toString(36)}`, seq: 0 }
  }

  /** The id that the service gave to the newest line. */
  get lastId(): string | null {
    return this.#seen.at(-1)?.id ?? null
  }

  /** What history is asked to go on after; null where it can only be asked for the newest lines. */
  get after(): string | null {
    const id = this.#places ? this.lastId : null
    return id !== null && id.length <= 60 ? id : null
  }

  /** The service does not take its ids for places. */
  placeless(): void {
    this.#places = false
  }

  anew(): void {
    this.#anew = true
  }

  /** Those of the lines that are new. A page of history shows again what was there; the stream only when it is new itself. */
  take(lines: readonly ForeignLine[], isPage: boolean): LineBatch | null {
    let fresh = lines.slice(isPage || this.#anew ? this.#overlap(lines, isPage) : 0)
    if (!isPage) {
      this.#anew = false
      fresh = fresh.filter((line) => line.id === null || this.#said.get(line.id) !== keyOf(line))
    }
    if (fresh.length === 0) return null
    const batch = batchOf(fresh, this.#last.epoch, this.#last.seq + 1)
    this.#last = { epoch: batch.epoch, seq: this.#last.seq + fresh.length }
    this.#remember(fresh)
    return batch
  }

  #overlap(lines: readonly ForeignLine[], isPage: boolean): number {
    const overlap = overlapOf(this.#seen, lines)
    // One line that reads like the last one is more likely a new one that says the same.
    const [only] = lines
    const guess = !isPage && overlap === 1 && only?.id === null && only.time === 0
    return guess ? 0 : overlap
  }

  #remember(fresh: readonly ForeignLine[]): void {
    this.#seen = [...this.#seen, ...fresh].slice(-SEEN_MOST)
    for (const line of fresh) if (line.id !== null) this.#said.set(line.id, keyOf(line))
    for (const id of this.#said.keys()) {
      if (this.#said.size <= SEEN_MOST) return
      this.#said.delete(id)
    }
  }
}
