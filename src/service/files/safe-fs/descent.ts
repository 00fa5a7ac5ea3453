import { replacedMeanwhile } from '../refusals.ts'
import type { OpenedFolder } from './opened-folder.ts'

/** A place in a tree that goes down and up again. However deep that is, one folder is held open. */
export class Descent implements Disposable {
  readonly #top: OpenedFolder
  readonly #levels: { name: string; id: string }[] = []
  #here: OpenedFolder

  /** @param top stays open, and is closed by whoever opened it */
  constructor(top: OpenedFolder) {
    this.#top = top
    this.#here = top
  }

  /** The folder this is in. It is closed when this goes elsewhere. */
  get here(): OpenedFolder {
    return this.#here
  }

  /** Folders between this and the top. */
  get depth(): number {
    return this.#levels.length
  }

  /** Goes into a folder. Throws what the system throws; then this is where it was. */
  enter(name: string): void {
    const inner = this.#here.enter(name)
    this.#levels.push({ name, id: inner.id })
    this.#go(inner)
  }

  /** Goes up. Throws Refusal 409 `files.changed` where the folder above is another one by now. */
  leave(): void {
    const { path } = this.#here
    this.#levels.pop()
    if (this.#levels.length === 0) return this.#go(this.#top)
    const above = aboveOf(this.#here)
    if (above?.id === this.#levels.at(-1)!.id) return this.#go(above)
    above?.[Symbol.dispose]()
    // Somebody has moved the folder that this was in, or it leads nowhere: the way from the top may still be as it was.
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

/** Null where there is no way out of a folder, which may be read and not gone through. */
function aboveOf(folder: OpenedFolder): OpenedFolder | null {
  try {
    return folder.above()
  } catch {
    return null
  }
}
