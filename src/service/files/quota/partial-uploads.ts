import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** How the bytes of an upload are named while they gather. */
export const PART = '.part'

/**
 * The bytes of uploads that are begun and not finished. They lie on the disk beside the world, and count to the quota as
 * they are there: what is only announced keeps nobody else's room.
 */
export class PartialUploads {
  /** Bytes by upload. */
  readonly #sizes = new Map<string, number>()
  #bytes = 0

  /** Counts what an earlier run of the service left in the folder. */
  constructor(folder: string) {
    for (const name of namesIn(folder)) {
      if (!name.endsWith(PART)) continue
      const stat = lstatSync(join(folder, name), { throwIfNoEntry: false })
      // With a second name it is in its place already, and counted there.
      if (stat?.isFile() && stat.nlink === 1) this.set(name.slice(0, -PART.length), stat.size)
    }
  }

  /** Of all uploads. */
  get bytes(): number {
    return this.#bytes
  }

  /** How many there are. */
  get count(): number {
    return this.#sizes.size
  }

  of(id: string): number {
    return this.#sizes.get(id) ?? 0
  }

  /** So many bytes of an upload are on the disk now; null: it is placed, or gone. */
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
    // Nothing was ever sent to this server.
    return []
  }
}
