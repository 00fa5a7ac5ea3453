import type { Logger } from 'pino'
import { type Clock, isoTime } from '../base/clock.ts'
import type { Store } from '../store/store.ts'
import type { Notifications } from './notifications.ts'

/** How often it is looked what is about to end, and how long before that is told, in ms. */
const LOOK_MS = 10 * 60 * 1000
const BEFORE_MS = 3 * 24 * 60 * 60 * 1000
/** Told in one step, and how long others have their turn between two steps, in ms. */
const STEP = 100
const STEP_MS = 20

export interface PromotionWatchOptions {
  store: Pick<Store, 'promocodes' | 'inOneStep'>
  notifications: Pick<Notifications, 'tell'>
  clock: Clock
  log: Logger
}

/** Tells accounts some days before benefits of a promocode end: of each once, which is kept over restarts. */
export class PromotionWatch {
  readonly #options: PromotionWatchOptions
  readonly #timer: NodeJS.Timeout
  #step: NodeJS.Timeout | null = null

  /** Looks at once: benefits may have come near their end while no service was there. */
  constructor(options: PromotionWatchOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.check(), LOOK_MS).unref()
    this.check()
  }

  /** Tells of what is about to end. Never throws. */
  check(): void {
    if (this.#step) clearTimeout(this.#step)
    this.#step = null
    const { store, notifications, clock, log } = this.#options
    try {
      // In one step: whatever breaks off, it was told exactly where it counts as told.
      const told = store.inOneStep(() => {
        const ending = store.promocodes.takeEnding(clock.now(), BEFORE_MS, STEP)
        for (const { accountId, name, endsAt } of ending)
          notifications.tell(accountId, {
            kind: 'promotion',
            values: { promotion: name, until: isoTime(endsAt) },
          })
        return ending.length
      })
      if (told === STEP) this.#step = setTimeout(() => this.check(), STEP_MS).unref()
    } catch (error) {
      log.warn({ err: error }, 'what is about to end could not be found out')
    }
  }

  close(): void {
    clearInterval(this.#timer)
    if (this.#step) clearTimeout(this.#step)
  }
}
