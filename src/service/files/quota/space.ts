import { statfs } from 'node:fs/promises'
import { filesDiskFull } from '../../base/disk-full.ts'
import { refusal } from '../../base/refusal.ts'
import { Reservation } from './reservations.ts'
import type { PartialUploads } from './partial-uploads.ts'
import { bytesIn } from '../safe-fs/walk.ts'

/** A measured figure is believed for this long, in milliseconds; what is written in between is added to it. */
const FRESH_MS = 60_000
/** Left free on the disk, in bytes: the world of a running server has to be saved too. */
const SPARE_BYTES = 16 * 1024 * 1024

export interface SpaceOptions {
  /** Folders that count, such as the world and the trash. The first one says which disk it is. */
  folders: string[]
  /** Null: no quota. */
  quotaBytes: number | null
  /** Bytes that are added to the quota at the moment. Default: none. */
  moreQuota?: (() => number) | undefined
  /** Uploads that are begun and not finished. Default: there are none. */
  partialUploads?: PartialUploads
  /** What is reserved on this disk, also by other servers. Default: this one's alone. */
  reservations?: Set<Reservation>
}

/** How much a server's folder holds, and whether more fits. */
export class Space {
  readonly #options: SpaceOptions
  readonly #reservations: Set<Reservation>
  #used: number | null = null
  #measuredAt = 0
  #measuring: Promise<number> | null = null
  /** Bytes that were added while it was being measured. */
  #added = 0

  constructor(options: SpaceOptions) {
    this.#options = options
    this.#reservations = options.reservations ?? new Set()
  }

  get quotaBytes(): number | null {
    const { quotaBytes, moreQuota } = this.#options
    return quotaBytes === null ? null : quotaBytes + (moreQuota?.() ?? 0)
  }

  /** The quota without what may end: what is kept by a share of it is not deleted when that does. */
  get lastingQuota(): number | null {
    return this.#options.quotaBytes
  }

  /** Bytes that count to the quota. */
  async used(): Promise<number> {
    return (await this.#lookedUp()) + this.#partial
  }

  /** What lies in the folders, measured anew where the figure is old. */
  async #lookedUp(): Promise<number> {
    const isFresh = this.#used !== null && performance.now() - this.#measuredAt < FRESH_MS
    return isFresh ? (this.#used ?? 0) : this.#measure()
  }

  get #partial(): number {
    return this.#options.partialUploads?.bytes ?? 0
  }

  /** Measures the folders anew. */
  #measure(): Promise<number> {
    if (this.#measuring) return this.#measuring
    this.#added = 0
    this.#measuring = Promise.all(this.#options.folders.map((folder) => bytesIn(folder)))
      .then((sizes) => {
        this.#measuredAt = performance.now()
        return (this.#used = sizes.reduce((sum, size) => sum + size, 0) + this.#added)
      })
      .finally(() => (this.#measuring = null))
    return this.#measuring
  }

  /** Bytes came to it (or went, below zero), known without measuring. */
  add(bytes: number): void {
    if (this.#used !== null) this.#used = Math.max(0, this.#used + bytes)
    this.#added += bytes
  }

  /** The figure is of no use any more: something went whose size is not known. */
  forget(): void {
    this.#used = null
  }

  /** Bytes that can still be written: of the disk, and of the quota. What is on its way is taken off. */
  async free(): Promise<number> {
    const [first = '.'] = this.#options.folders
    const { bavail, bsize } = await statfs(first)
    const reserved = this.#reserved(null)
    const onDisk = Math.max(0, bavail * bsize - SPARE_BYTES - reserved.disk)
    const { quotaBytes } = this
    if (quotaBytes === null) return onDisk
    return Math.min(onDisk, Math.max(0, quotaBytes - (await this.used()) - reserved.quota))
  }

  /**
   * Reserves room for bytes that are about to come; `replaced` bytes go for it. Who reserved earlier has it first. Throws as
   * `require` does. Dispose it.
   */
  async reserve(bytes: number, replaced = 0): Promise<Reservation> {
    const reservation = new Reservation(
      this.#reservations,
      this,
      bytes,
      Math.max(0, bytes - replaced),
      async (reservation, which) => {
        const all = (of: 'quota' | 'disk') => this.#reserved(reservation)[of] + reservation[of]
        if (reservation.quota > 0) await this.requireQuota(() => all('quota'))
        if (reservation.disk > 0 && which === 'all') await this.requireDisk(() => all('disk'))
      },
    )
    try {
      await reservation.grow(0)
      return reservation
    } catch (error) {
      reservation[Symbol.dispose]()
      throw error
    }
  }

  /** What is reserved by all, or by those before a reservation. */
  #reserved(before: Reservation | null): { disk: number; quota: number } {
    const sum = { disk: 0, quota: 0 }
    for (const reservation of this.#reservations) {
      if (reservation === before) break
      sum.disk += reservation.disk
      if (reservation.of === this) sum.quota += reservation.quota
    }
    return sum
  }

  /**
   * Throws Refusal 507 `files.quota` or `files.disk-full` where that many more bytes do not fit. `replaced` bytes go when
   * they are there: the quota gets them back, the disk only then.
   */
  async require(bytes: number, replaced = 0): Promise<void> {
    await this.requireQuota(bytes - replaced)
    await this.requireDisk(bytes)
  }

  /** Throws Refusal 507 `files.disk-full` where the disk has no room for that many more bytes. */
  async requireDisk(bytes: number | (() => number)): Promise<void> {
    const [first = '.'] = this.#options.folders
    const { bavail, bsize } = await statfs(first)
    // What was written meanwhile is reserved no more, and the disk has less room for it already.
    const more = typeof bytes === 'number' ? bytes : bytes()
    if (bavail * bsize - SPARE_BYTES < more) throw filesDiskFull()
  }

  /**
   * Throws Refusal 507 `files.quota` where that many more bytes are over the quota. `partial` of them are counted already,
   * as an upload that ends now.
   */
  async requireQuota(bytes: number | (() => number), partial = 0): Promise<void> {
    const { quotaBytes } = this
    const more = typeof bytes === 'number' ? () => bytes : bytes
    if (quotaBytes === null || more() <= 0) return
    // The figure may be old, and nobody is refused for that.
    for (const look of [() => this.#lookedUp(), () => this.#measure()]) {
      const measured = await look()
      // All three as they are now, without waiting in between: what is just written moves from what is reserved to what is
      // there, and must neither count twice nor not at all.
      if ((this.#used ?? measured) + this.#partial - partial + more() <= quotaBytes) return
    }
    throw refusal(507, 'files.quota', { quota: quotaBytes })
  }
}
