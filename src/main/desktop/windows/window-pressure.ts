import type { EventName, Events } from '../../../contract/bridge/events.ts'

/** Bytes of an event of a console beside its lines, about. */
const FRAME = 200

/** What an event weighs on its way to a window, in bytes, about; zero for those that are few and not counted. */
export function weightOf<E extends EventName>(event: E, value: Events[E]): number {
  if (event !== 'console') return 0
  let bytes = FRAME
  for (const piece of (value as Events['console']).pieces)
    if (piece.kind === 'lines') for (const text of piece.batch.texts) bytes += 2 * text.length + 16
  return bytes
}

/** Bytes that were sent to a window, and that it has not said it took. */
export class WindowPressure {
  #waiting = 0

  get bytes(): number {
    return this.#waiting
  }

  sent(weight: number): void {
    this.#waiting += weight
  }

  /** What a page says it took; of what is none, nothing is believed. */
  taken(weight: unknown): void {
    if (typeof weight !== 'number' || !Number.isSafeInteger(weight) || weight < 0) return
    this.#waiting = Math.max(0, this.#waiting - weight)
  }

  /** The page is another one: what the former one did not take, nobody will. */
  anew(): void {
    this.#waiting = 0
  }
}
