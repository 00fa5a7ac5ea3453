import { Transform } from 'node:stream'

/** Reservation step in bytes for bodies of unknown length. */
const STEP = 1024 * 1024

/** Checks that everything reserved up to this reservation fits. Throws Refusal 507. */
type Check = (reservation: Reservation, which: 'all' | 'quota') => Promise<void>

/** Reserves space for bytes on their way. Dispose once they are counted or won't come. */
export class Reservation implements Disposable {
  readonly of: object
  disk: number
  quota: number
  readonly #reservations: Set<Reservation>
  readonly #check: Check

  constructor(reservations: Set<Reservation>, of: object, disk: number, quota: number, check: Check) {
    this.of = of
    this.disk = disk
    this.quota = quota
    this.#reservations = reservations
    this.#check = check
    reservations.add(this)
  }

  /** Throws Refusal 507 and stays unchanged if it doesn't fit. */
  grow(disk: number, quota = disk): Promise<void> {
    return this.#grow(disk, quota, 'all')
  }

  growQuota(quota: number): Promise<void> {
    return this.#grow(0, quota, 'quota')
  }

  async #grow(disk: number, quota: number, which: 'all' | 'quota'): Promise<void> {
    this.disk += disk
    this.quota += quota
    try {
      await this.#check(this, which)
    } catch (error) {
      this.wrote(disk)
      this.counted(quota)
      throw error
    }
  }

  wrote(bytes: number): void {
    this.disk = Math.max(0, this.disk - bytes)
  }

  counted(bytes: number): void {
    this.quota = Math.max(0, this.quota - bytes)
  }

  [Symbol.dispose](): void {
    this.#reservations.delete(this)
  }
}

/** Reserves for an unknown number of files. Checks the disk in steps, since each check queues behind writes. */
export class SteppedReservation {
  readonly #reservation: Reservation
  #left = 0

  constructor(reservation: Reservation) {
    this.#reservation = reservation
  }

  /** Throws Refusal 507; then nothing is reserved for the file. */
  async take(bytes: number): Promise<void> {
    if (this.#left >= bytes) await this.#reservation.growQuota(bytes)
    else this.#left += await this.#grow(bytes)
    this.#left -= bytes
  }

  async #grow(bytes: number): Promise<number> {
    if (bytes < STEP)
      try {
        await this.#reservation.grow(STEP, bytes)
        return STEP
      } catch {
        // Reserve just for this file.
      }
    await this.#reservation.grow(bytes)
    return bytes
  }
}

/** Passes bytes through, growing the reservation as needed. Fails with Refusal 507. */
export function reserving(reservation: Reservation): Transform {
  let quota = reservation.quota
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      const more = Math.max(0, chunk.length - quota)
      quota = Math.max(0, quota - chunk.length)
      const pass = () => {
        reservation.wrote(chunk.length)
        callback(null, chunk)
      }
      const isShort = reservation.disk < chunk.length
      if (more === 0 && !isShort) return pass()
      reservation.grow(isShort ? Math.max(STEP, chunk.length) : 0, more).then(pass, callback)
    },
  })
}
