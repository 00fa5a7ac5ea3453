import { lstatSync } from 'node:fs'
import { moveFolder } from '../files/safe-fs/move-folder.ts'
import type { DiskPath } from '../files/names/raw-names.ts'

/** Synchronous renames that can be undone together. */
export class Moves {
  readonly #done: [from: DiskPath, to: DiskPath][] = []

  /** Ignores a missing source: an earlier run has moved it. */
  move(from: DiskPath, to: DiskPath): void {
    if (!lstatSync(from, { throwIfNoEntry: false })) return
    moveFolder(from, to)
    this.#done.push([from, to])
  }

  undo(): void {
    for (const [from, to] of this.#done.splice(0).reverse()) moveFolder(to, from)
  }
}
