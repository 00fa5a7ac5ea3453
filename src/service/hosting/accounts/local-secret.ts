import type { Clock } from '../../base/clock.ts'
import { sameSecret } from '../secrets.ts'

/** Lifetime of the parent's secret, in milliseconds. */
const SECRET_MS = 5 * 60 * 1000

/** The parent's one-time secret, received over the process channel. */
export interface LocalSecret {
  give(secret: string): void
  /**
   * Runs the synchronous `work` and voids the secret; null if it is wrong. If `work` throws, the secret stays valid.
   */
  use<T>(secret: string, work: () => T): T | null
}

export function createLocalSecret(clock: Pick<Clock, 'elapsed'>): LocalSecret {
  let held: { secret: string; until: number } | null = null
  return {
    give(secret) {
      held = { secret, until: clock.elapsed() + SECRET_MS }
    },
    use(secret, work) {
      if (!held || held.until <= clock.elapsed() || !sameSecret(secret, held.secret)) return null
      const done = work()
      held = null
      return done
    },
  }
}
