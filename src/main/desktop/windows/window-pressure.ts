import type { EventName, Events } from '../../../contract/bridge/events.ts'

const FRAME = 200

/** Approximate bytes of an event; 0 for rare ones. */
export function weightOf<E extends EventName>(event: E, value: Events[E]): number {
  if (event !== 'console') return 0
  let bytes = FRAME
  for (const piece of (value as Events['console']).pieces)
    if (piece.kind === 'lines') for (const text of piece.batch.texts) bytes += 2 * text.length + 16
  return bytes
}

/** Bytes sent to a window and not yet confirmed. */
export class WindowPressure {
  #waiting = 0

  get bytes(): number {
    return this.#waiting
  }

  sent(weight: number): void {
    this.#waiting += weight
  }

  taken(weight: unknown): void {
    if (typeof weight !== 'number' || !Number.isSafeInteger(weight) || weight < 0) return
    this.#waiting = Math.max(0, this.#waiting - weight)
  }

  /** A new page will not confirm the old one's events. */
  anew(): void {
    this.#waiting = 0
  }
}
