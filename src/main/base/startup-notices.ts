import { randomUUID } from 'node:crypto'
import type { Note } from '../../contract/bridge/values.ts'
import type { LocalizedText } from '../../contract/messages/localized-text.ts'

/** Beyond this many, the oldest are dropped: each stays until dismissed. */
const MOST = 8

export class StartupNotices {
  #all: Note[] = []
  readonly #whenRead = new Map<string, () => void>()
  readonly #onChange: (all: Note[]) => void

  constructor(onChange: (all: Note[]) => void) {
    this.#onChange = onChange
  }

  list(): Note[] {
    return this.#all
  }

  /** Ignores duplicates. `whenRead` runs once it is dismissed. */
  tell(said: LocalizedText, whenRead?: () => void): void {
    if (this.#all.some(({ message }) => message === said.message)) return
    const id = randomUUID()
    if (whenRead) this.#whenRead.set(id, whenRead)
    this.#set([...this.#all, { id, ...said }].slice(-MOST))
  }

  dismiss(id: string): void {
    this.#whenRead.get(id)?.()
    this.#whenRead.delete(id)
    this.#set(this.#all.filter((note) => note.id !== id))
  }

  dismissAll(keys: readonly NonNullable<Note['text']>['key'][]): void {
    for (const { id, text } of this.#all) if (text && keys.includes(text.key)) this.dismiss(id)
  }

  #set(all: Note[]): void {
    this.#all = all
    this.#onChange(all)
  }
}
