import { replacedMeanwhile } from '../names/refusals.ts'
import type { OpenedFolder } from './opened-folder.ts'

/** A position in a tree that moves down and up. It holds one folder open at any depth. */
export class Descent implements Disposable {
  readonly #top: OpenedFolder
  readonly #levels: { name: string; id: string }[] = []
  #here: OpenedFolder

  /** @param top stays open; the caller closes it */
  constructor(top: OpenedFolder) {
    this.#top = top
    this.#here = top
  }

  /** The current folder. Moving on closes it. */
  get here(): OpenedFolder {
    return this.#here
  }

  /** Levels below the top. */
  get depth(): number {
    return this.#levels.length
  }

  /** Moves into a folder. Stays where it is if the system throws. */
  enter(name: string): void {
    const inner = this.#here.enter(name)
    this.#levels.push({ name, id: inner.id })
    this.#go(inner)
  }

  /** Moves up. Throws Refusal 409 `files.changed` if the folder above was replaced. */
  leave(): void {
    const { path } = this.#here
    this.#levels.pop()
    if (this.#levels.length === 0) return this.#go(this.#top)
    const above = aboveOf(this.#here)
    if (above?.id === this.#levels.at(-1)!.id) return this.#go(above)
    above?.[Symbol.dispose]()
    // The folder was moved, or may not be traversed. Go down again from the top.
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

/** Null if the folder may be read but not traversed. */
function aboveOf(folder: OpenedFolder): OpenedFolder | null {
  try {
    return folder.above()
  } catch {
    return null
  }
}
