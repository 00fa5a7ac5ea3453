import { randomUUID } from 'node:crypto'
import type { Note } from '../contract/bridge/values.ts'
import type { Said } from '../contract/messages/say.ts'

/** More are told at the expense of the oldest: each stands in the window until it is dismissed. */
const MOST = 8

/** What a person has to know about this computer's own files, until they have read it. */
export class Notes {
  #all: Note[] = []
  readonly #onChange: (all: Note[]) => void

  constructor(onChange: (all: Note[]) => void) {
    this.#onChange = onChange
  }

  list(): Note[] {
    return this.#all
  }

  /** Tells something; what stands there already is not told twice. */
  tell(said: Said): void {
    if (this.#all.some(({ message }) => message === said.message)) return
    this.#set([...this.#all, { id: randomUUID(), ...said }].slice(-MOST))
  }

  dismiss(id: string): void {
    this.#set(this.#all.filter((note) => note.id !== id))
  }

  #set(all: Note[]): void {
    this.#all = all
    this.#onChange(all)
  }
}
