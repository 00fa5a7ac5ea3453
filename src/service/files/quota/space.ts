import { statfs } from 'node:fs/promises'
import { filesDiskFull } from '../../base/computer-limits.ts'
import { refusal } from '../../../host/refusal.ts'
import { Reservation } from './reservations.ts'
import type { PartialUploads } from './partial-uploads.ts'
import { bytesIn } from '../safe-fs/walk.ts'

/** How long a measurement is used, in ms; later writes are added to it. */
const FRESH_MS = 60_000
/** Disk space in bytes left for running servers to save their worlds. */
const SPARE_BYTES = 16 * 1024 * 1024

interface SpaceOptions {
  /** Folders that count, such as world and trash. The first determines the disk. */
  folders: string[]
  quotaBytes: number | null
  moreQuota?: (() => number) | undefined
  partialUploads?: PartialUploads
  /** Shared by all servers on the disk. Default: only this server's. */
  reservations?: Set<Reservation>
}

export class Space {
  readonly #options: SpaceOptions
  readonly #reservations: Set<Reservation>
  #used: number | null = null
  #measuredAt = 0
  #measuring: Promise<number> | null = null
  #added = 0

  constructor(options: SpaceOptions) {
    this.#options = options
    this.#reservations = options.reservations ?? new Set()
  }

  get quotaBytes(): number | null {
    const { quotaBytes, moreQuota } = this.#options
    return quotaBytes === null ? null : quotaBytes + (moreQuota?.() ?? 0)
  }

  /** Without temporary extra quota: what relies on it must not be deleted when that ends. */
  get lastingQuota(): number | null {
    return this.#options.quotaBytes
  }

  async used(): Promise<number> {
    return (await this.#lookedUp()) + this.#partial
  }

  async #lookedUp(): Promise<number> {
    const isFresh = this.#used !== null && performance.now() - this.#measuredAt < FRESH_MS
    return isFresh ? (this.#used ?? 0) : this.#measure()
  }

  get #partial(): number {
    return this.#options.partialUploads?.bytes ?? 0
  }

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

  /** Negative for deleted bytes. */
  add(bytes: number): void {
    if (this.#used !== null) this.#used = Math.max(0, this.#used + bytes)
    this.#added += bytes
  }

  /** Call when something of unknown size is deleted. */
  forget(): void {
    this.#used = null
  }

  /** Free bytes by disk and quota, minus reservations. */
  async free(): Promise<number> {
    const [first = '.'] = this.#options.folders
    const { bavail, bsize } = await statfs(first)
    const reserved = this.#reserved(null)
    const onDisk = Math.max(0, bavail * bsize - SPARE_BYTES - reserved.disk)
    const { quotaBytes } = this
    if (quotaBytes === null) return onDisk
    return Math.min(onDisk, Math.max(0, quotaBytes - (await this.used()) - reserved.quota))
  }

  /** `replaced` bytes will be freed. Earlier reservations have priority. Throws like `require`; dispose it. */
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

  #reserved(before: Reservation | null): { disk: number; quota: number } {
    const sum = { disk: 0, quota: 0 }
    for (const reservation of this.#reservations) {
      if (reservation === before) break
      sum.disk += reservation.disk
      if (reservation.of === this) sum.quota += reservation.quota
    }
    return sum
  }

  /** Throws Refusal 507 `files.quota` or `files.disk-full`. `replaced` bytes count only for the quota. */
  async require(bytes: number, replaced = 0): Promise<void> {
    await this.requireQuota(bytes - replaced)
    await this.requireDisk(bytes)
  }

  /** Throws Refusal 507 `files.disk-full`. */
  async requireDisk(bytes: number | (() => number)): Promise<void> {
    const [first = '.'] = this.#options.folders
    const { bavail, bsize } = await statfs(first)
    // Evaluate late: bytes written meanwhile have moved from reserved to used.
    const more = typeof bytes === 'number' ? bytes : bytes()
    if (bavail * bsize - SPARE_BYTES < more) throw filesDiskFull()
  }

  /** Throws Refusal 507 `files.quota`. `partial` bytes of an upload are already counted. */
  async requireQuota(bytes: number | (() => number), partial = 0): Promise<void> {
    const { quotaBytes } = this
    const more = typeof bytes === 'number' ? () => bytes : bytes
    if (quotaBytes === null || more() <= 0) return
    // Measure again before refusing: the figure may be old.
    for (const look of [() => this.#lookedUp(), () => this.#measure()]) {
      const measured = await look()
      // Read all three synchronously: bytes move from reserved to used and must count exactly once.
      if ((this.#used ?? measured) + this.#partial - partial + more() <= quotaBytes) return
    }
    throw refusal(507, 'files.quota', { quota: quotaBytes })
  }
}
