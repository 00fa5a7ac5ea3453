import { replacedMeanwhile } from '../names/refusals.ts'
import type { OpenedFolder } from './opened-folder.ts'

/** A position in a tree. Keeps only one folder open at any depth. */
export class TreeCursor implements Disposable {
  readonly #top: OpenedFolder
  readonly #levels: { name: string; id: string }[] = []
  #here: OpenedFolder

  constructor(top: OpenedFolder) {
    this.#top = top
    this.#here = top
  }

  /** Valid until the next move. */
  get here(): OpenedFolder {
    return this.#here
  }

  get depth(): number {
    return this.#levels.length
  }

  /** Throws system errors without moving. */
  enter(name: string): void {
    const inner = this.#here.enter(name)
    this.#levels.push({ name, id: inner.id })
    this.#go(inner)
  }

  /** Throws Refusal 409 `files.changed` if the parent was replaced. */
  leave(): void {
    const { path } = this.#here
    this.#levels.pop()
    if (this.#levels.length === 0) return this.#go(this.#top)
    const above = aboveOf(this.#here)
    if (above?.id === this.#levels.at(-1)!.id) return this.#go(above)
    above?.[Symbol.dispose]()
    // The folder was moved or can't be traversed. Go down again from the top.
    this.#go(this.#top)
    for (const { name, id } of this.#levels) {
      this.#go(this.#here.enter(name))
      if (this.#here.id !== id) throw replacedMeanwhile(path)
    }
  }

  #go(folder: OpenedFolder): void {
    if (this.#here !== this.#top && this.#here !== folder) this.#here[Symbol.dispose]()
    this.#here = folder
  }

  [Symbol.dispose](): void {
    this.#go(this.#top)
  }
}

/** Null if the folder can be read but not traversed. */
function aboveOf(folder: OpenedFolder): OpenedFolder | null {
  try {
    return folder.above()
  } catch {
    return null
  }
}
