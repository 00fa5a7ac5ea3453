import { lstatSync } from 'node:fs'
import { moveFolder } from '../files/safe-fs/move-folder.ts'
import type { DiskPath } from '../files/names/raw-names.ts'

/** Renames that are done together: where one fails, those before it are taken back. Nothing waits in between. */
export class Moves {
  readonly #done: [from: DiskPath, to: DiskPath][] = []

  /** Does nothing where there is nothing: an earlier run has moved it. */
  move(from: DiskPath, to: DiskPath): void {
    if (!lstatSync(from, { throwIfNoEntry: false })) return
    moveFolder(from, to)
    this.#done.push([from, to])
  }

  /** Takes back what was done. Throws where that fails too. */
  undo(): void {
    for (const [from, to] of this.#done.splice(0).reverse()) moveFolder(to, from)
  }
}
