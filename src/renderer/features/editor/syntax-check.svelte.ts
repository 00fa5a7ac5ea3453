import { formatOf, loadReader, type Reader } from './tree/model/read-tree.ts'

export interface SyntaxFault {
  message: string
  /** Offset in the text with LF line ends. */
  at: number
  /** From 1. */
  line: number
}

/** Delay in ms before parsing after a key. */
const READ_MS = 300

/** Finds where a text cannot be parsed, and has such a text saved only by a second press. */
export class SyntaxCheck {
  readonly #load: Promise<Reader> | null
  #fault = $state.raw<SyntaxFault | null>(null)
  #asked = $state(false)
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(path: string) {
    const format = formatOf(path)
    // JSON5 allows more than the parser knows.
    this.#load = format === null || /\.json5$/i.test(path) ? null : loadReader(format)
    // Without the parser the text is saved unchecked.
    this.#load?.catch(() => undefined)
  }

  get fault(): SyntaxFault | null {
    return this.#fault
  }

  /** Saving was refused once; it is offered as *Save anyway*. */
  get asked(): boolean {
    return this.#asked && this.#fault !== null
  }

  /** Checks the text once typing pauses. */
  later(text: () => string): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#check(text()), READ_MS)
  }

  /** Whether the text may be saved now. */
  async maySave(text: string): Promise<boolean> {
    const wasAsked = this.asked
    await this.#check(text)
    this.#asked = this.#fault !== null
    return this.#fault === null || wasAsked
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  async #check(text: string): Promise<void> {
    const read = await this.#load?.catch(() => null)
    const result = read?.(text)
    if (result && !result.ok && result.why.kind === 'syntax') {
      const { message, at } = result.why
      this.#fault = { message, at, line: text.slice(0, at).split('\n').length }
    } else {
      this.#fault = null
      this.#asked = false
    }
  }
}
