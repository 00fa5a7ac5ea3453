import type { Logger } from 'pino'
import { type Clock, isoTime } from '../../base/clock.ts'
import type { Store } from '../../store/store.ts'
import type { Notifications } from './notifications.ts'

const LOOK_MS = 10 * 60 * 1000
const BEFORE_MS = 3 * 24 * 60 * 60 * 1000
/** Accounts per step; pause between steps in ms. */
const STEP = 100
const STEP_MS = 20

interface PromotionWatchOptions {
  store: Pick<Store, 'promocodes' | 'inOneStep'>
  notifications: Pick<Notifications, 'tell'>
  clock: Clock
  log: Logger
}

/** Announces once that promotion benefits are about to end; persisted. */
export class PromotionWatch {
  readonly #options: PromotionWatchOptions
  readonly #timer: NodeJS.Timeout
  #step: NodeJS.Timeout | null = null

  /** Checks immediately: benefits may have come near their end while the service was down. */
  constructor(options: PromotionWatchOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.check(), LOOK_MS).unref()
    this.check()
  }

  check(): void {
    if (this.#step) clearTimeout(this.#step)
    this.#step = null
    const { store, notifications, clock, log } = this.#options
    try {
      // One transaction, so notifications and their marks agree.
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
