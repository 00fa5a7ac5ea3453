import { Transform } from 'node:stream'

/** Where the length is not said, room on the disk is reserved by so many bytes. */
const STEP = 1024 * 1024

/** Judges whether all that was reserved up to a reservation fits. Throws Refusal 507. */
type Check = (reservation: Reservation) => Promise<void>

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
  async grow(disk: number, quota = disk): Promise<void> {
    this.disk += disk
    this.quota += quota
    try {
      await this.#check(this)
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
