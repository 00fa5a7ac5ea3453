import { statfs } from 'node:fs/promises'
import { filesDiskFull } from '../../disk-full.ts'
import { Refusal } from '../../refusal.ts'
import { Claim } from './reservations.ts'
import type { Parked } from './partial-uploads.ts'
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
  /** Uploads that are begun and not finished. Default: there are none. */
  parked?: Parked
  /** What is claimed on this disk, also by other servers. Default: this one's alone. */
  claims?: Set<Claim>
}

/** How much a server's folder holds, and whether more fits. */
export class Space {
  readonly #options: SpaceOptions
  readonly #claims: Set<Claim>
  #used: number | null = null
  #measuredAt = 0
  #measuring: Promise<number> | null = null
  /** Bytes that were added while it was being measured. */
  #added = 0

  constructor(options: SpaceOptions) {
    this.#options = options
    this.#claims = options.claims ?? new Set()
  }

  get quotaBytes(): number | null {
    return this.#options.quotaBytes
  }

  /** Bytes that count to the quota. */
  async used(): Promise<number> {
    const isFresh = this.#used !== null && performance.now() - this.#measuredAt < FRESH_MS
    const measured = isFresh ? (this.#used ?? 0) : await this.#measure()
    return measured + this.#parked
  }

  get #parked(): number {
    return this.#options.parked?.bytes ?? 0
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
    const claimed = this.#claimed(null)
    const onDisk = Math.max(0, bavail * bsize - SPARE_BYTES - claimed.disk)
    const { quotaBytes } = this.#options
    if (quotaBytes === null) return onDisk
    return Math.min(onDisk, Math.max(0, quotaBytes - (await this.used()) - claimed.quota))
  }

  /**
   * Claims room for bytes that are about to come; `replaced` bytes go for it. Who claimed earlier has it first. Throws as
   * `require` does. Dispose it.
   */
  async claim(bytes: number, replaced = 0): Promise<Claim> {
    const claim = new Claim(this.#claims, this, bytes, Math.max(0, bytes - replaced), async (claim) => {
      const earlier = this.#claimed(claim)
      if (claim.quota > 0) await this.requireQuota(earlier.quota + claim.quota)
      if (claim.disk > 0) await this.requireDisk(earlier.disk + claim.disk)
    })
    try {
      await claim.grow(0)
      return claim
    } catch (error) {
      claim[Symbol.dispose]()
      throw error
    }
  }

  /** What is claimed by all, or by those before a claim. */
  #claimed(before: Claim | null): { disk: number; quota: number } {
    const sum = { disk: 0, quota: 0 }
    for (const claim of this.#claims) {
      if (claim === before) break
      sum.disk += claim.disk
      if (claim.of === this) sum.quota += claim.quota
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
  async requireDisk(bytes: number): Promise<void> {
    const [first = '.'] = this.#options.folders
    const { bavail, bsize } = await statfs(first)
    if (bavail * bsize - SPARE_BYTES < bytes) throw filesDiskFull()
  }

  /**
   * Throws Refusal 507 `files.quota` where that many more bytes are over the quota. `parked` of them are counted already,
   * as an upload that ends now.
   */
  async requireQuota(bytes: number, parked = 0): Promise<void> {
    const { quotaBytes } = this.#options
    if (quotaBytes === null || bytes <= 0 || (await this.used()) - parked + bytes <= quotaBytes) return
    // The figure may be old, and nobody is refused for that.
    if ((await this.#measure()) + this.#parked - parked + bytes <= quotaBytes) return
    throw new Refusal(
      507,
      'files.quota',
      `This does not fit: the server's quota is ${quotaBytes} bytes, including its trash and unfinished uploads. Delete something, or empty the trash.`,
    )
  }
}
