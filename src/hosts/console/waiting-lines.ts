import { shortened } from './line-log.ts'

const LINES_MOST = 50_000
const CHARACTERS_MOST = 16_000_000

/** Lines that wait until they are joined to those before. */
export class WaitingLines {
  readonly texts: string[] = []
  #characters = 0

  /** Returns false where one more has no room. */
  add(text: string): boolean {
    const line = shortened(text)
    if (this.texts.length >= LINES_MOST || this.#characters + line.length > CHARACTERS_MOST) return false
    this.#characters += line.length
    this.texts.push(line)
    return true
  }
}
