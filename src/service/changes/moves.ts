import { lstatSync, renameSync } from 'node:fs'

/** Renames that are done together: where one fails, those before it are taken back. Nothing waits in between. */
export class Moves {
  readonly #done: [from: string, to: string][] = []

  /** Does nothing where there is nothing: an earlier run has moved it. */
  move(from: string, to: string): void {
    if (!lstatSync(from, { throwIfNoEntry: false })) return
    renameSync(from, to)
    this.#done.push([from, to])
  }

  /** Takes back what was done. Throws where that fails too. */
  undo(): void {
    for (const [from, to] of this.#done.splice(0).reverse()) renameSync(to, from)
  }
}
