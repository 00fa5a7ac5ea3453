import type { LineBatch } from '../../contract/bridge/values.ts'
import type { LineId } from '../../contract/rules/line-ids.ts'
import { batchOf, type ForeignLine, OWN_EPOCH } from './columns.ts'
import { keyOf, overlapOf } from './overlap.ts'

const SEEN_MOST = 5000

/**
 * A console whose line ids have no order or are missing. Lines get the panel's own ids in order of arrival; gaps cannot
 * be detected.
 */
export class ForeignConsole {
  #seen: ForeignLine[]
  readonly #said = new Map<string, string>()
  #last: LineId
  /** The next lines may repeat earlier ones. */
  #anew = true
  #places = true

  constructor(seen: readonly ForeignLine[], last: LineId | null) {
    this.#seen = seen.slice(-SEEN_MOST)
    this.#last = last ?? { epoch: `${OWN_EPOCH}${Date.now().toString(36)}`, seq: 0 }
  }

  get lastId(): string | null {
    return this.#seen.at(-1)?.id ?? null
  }

  /** Where history resumes; null to ask for the newest lines. */
  get after(): string | null {
    const id = this.#places ? this.lastId : null
    return id !== null && id.length <= 60 ? id : null
  }

  /** The service does not accept its ids as positions. */
  placeless(): void {
    this.#places = false
  }

  anew(): void {
    this.#anew = true
  }

  /** The new lines. A page of history repeats old ones; the stream only after a reconnect. */
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
    // A single line equal to the last one is more likely a new line with the same text.
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
