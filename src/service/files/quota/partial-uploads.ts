import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export const PART = '.part'

/** Unfinished uploads. They count towards the quota by the bytes received, not announced. */
export class PartialUploads {
  readonly #sizes = new Map<string, number>()
  #bytes = 0

  constructor(folder: string) {
    for (const name of namesIn(folder)) {
      if (!name.endsWith(PART)) continue
      const stat = lstatSync(join(folder, name), { throwIfNoEntry: false })
      // With a second hard link it is already placed, and counted there.
      if (stat?.isFile() && stat.nlink === 1) this.set(name.slice(0, -PART.length), stat.size)
    }
  }

  get bytes(): number {
    return this.#bytes
  }

  get count(): number {
    return this.#sizes.size
  }

  of(id: string): number {
    return this.#sizes.get(id) ?? 0
  }

  /** Null: placed or deleted. */
  set(id: string, bytes: number | null): void {
    this.#bytes += (bytes ?? 0) - this.of(id)
    if (bytes === null) this.#sizes.delete(id)
    else this.#sizes.set(id, bytes)
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // No uploads yet.
    return []
  }
}
