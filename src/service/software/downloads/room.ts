import { statfs } from 'node:fs/promises'
import type { RemoteFile } from '../catalog.ts'
import { noRoom } from '../../../extensions/requests/download-refusals.ts'

/** Space reserved by running downloads on one disk. */
export class DiskReservations {
  readonly #folder: string
  readonly #spareBytes: number
  readonly #coming = new Map<string, number>()

  constructor(folder: string, spareBytes: number) {
    this.#folder = folder
    this.#spareBytes = spareBytes
  }

  /** Reserves space. Throws Refusal 507. */
  async require(key: string, file: RemoteFile, bytes: number): Promise<void> {
    this.#coming.set(key, bytes)
    const free = await this.free()
    let others = 0
    for (const [other, coming] of this.#coming) if (other !== key) others += coming
    const left = free - others
    if (left - this.#spareBytes >= bytes) return
    throw noRoom(file, { needed: bytes, free: left, spare: this.#spareBytes })
  }

  /** 507, for when the disk did run full. */
  async full(file: RemoteFile, bytes: number): Promise<Error> {
    return noRoom(file, { needed: bytes, free: await this.free(), spare: this.#spareBytes })
  }

  done(key: string): void {
    this.#coming.delete(key)
  }

  async free(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder)
    return bavail * bsize
  }
}
