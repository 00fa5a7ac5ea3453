import { Transform } from 'node:stream'

/** Where the length is not said, room on the disk is reserved by so many bytes. */
const STEP = 1024 * 1024

/** Judges whether all that was reserved up to a reservation fits, on the disk unless only the quota grew. Throws Refusal 507. */
type Check = (reservation: Reservation, which: 'all' | 'quota') => Promise<void>

/**
 * Room for bytes that are on their way. Others reckon with it until it is disposed: when the bytes are counted, or will
 * not come.
 */
export class Reservation implements Disposable {
  /** Whose quota it counts to. */
  readonly of: object
  /** Bytes that are not on the disk yet. */
  disk: number
  /** Bytes that do not count to the quota yet. */
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

  /** Asks for more. Throws Refusal 507 where that does not fit; then it holds what it held. */
  grow(disk: number, quota = disk): Promise<void> {
    return this.#grow(disk, quota, 'all')
  }

  /** Asks for more of the quota alone, for bytes that have room on the disk already. */
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

  /** So many bytes are on the disk now. */
  wrote(bytes: number): void {
    this.disk = Math.max(0, this.disk - bytes)
  }

  /** So many bytes count to the quota now. */
  counted(bytes: number): void {
    this.quota = Math.max(0, this.quota - bytes)
  }

  [Symbol.dispose](): void {
    this.#reservations.delete(this)
  }
}

/**
 * Room for files that come one after the other, nobody says how many. The disk is asked in steps, for what follows too:
 * a question waits behind all that is being written.
 */
export class SteppedRoom {
  readonly #reservation: Reservation
  /** Bytes of the disk that are reserved, and for no file yet. */
  #left = 0

  constructor(reservation: Reservation) {
    this.#reservation = reservation
  }

  /** Reserves room for the next file. Throws Refusal 507 where it does not fit; then nothing is reserved for it. */
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
        // Not for what follows as well.
      }
    await this.#reservation.grow(bytes)
    return bytes
  }
}

/** Lets bytes through to the disk: those a reservation has room for, and beyond as many as fit. Breaks with Refusal 507. */
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
