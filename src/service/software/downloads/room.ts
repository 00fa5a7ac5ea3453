import { statfs } from 'node:fs/promises'
import type { RemoteFile } from '../catalogue.ts'
import { noRoom } from './download-refusals.ts'

/** The room that downloads take on one disk. What is still to come of one is not there for another. */
export class Room {
  readonly #folder: string
  readonly #spareBytes: number
  readonly #coming = new Map<string, number>()

  /** @param spareBytes what stays free: the worlds of running servers have to be saved too */
  constructor(folder: string, spareBytes: number) {
    this.#folder = folder
    this.#spareBytes = spareBytes
  }

  /** So many bytes of one are still to come. Throws Refusal 507 with figures where they do not fit. */
  async require(key: string, file: RemoteFile, bytes: number): Promise<void> {
    this.#coming.set(key, bytes)
    const free = await this.free()
    let others = 0
    for (const [other, coming] of this.#coming) if (other !== key) others += coming
    const left = free - others
    if (left - this.#spareBytes >= bytes) return
    throw noRoom(file, { needed: bytes, free: left, spare: this.#spareBytes })
  }

  /** What the disk said itself when it was full: 507 with figures. */
  async full(file: RemoteFile, bytes: number): Promise<Error> {
    return noRoom(file, { needed: bytes, free: await this.free(), spare: this.#spareBytes })
  }

  /** Nothing more of one comes. */
  done(key: string): void {
    this.#coming.delete(key)
  }

  /** Bytes that this user can still write. */
  async free(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder)
    return bavail * bsize
  }
}
