import type { Clock } from '../../base/clock.ts'
import { sameSecret } from './sign-in/secrets.ts'

/** How long the parent's secret can be used, in milliseconds. */
const SECRET_MS = 5 * 60 * 1000

/** The parent's one-time secret: given over the channel between the processes, used once. */
export interface LocalSecret {
  give(secret: string): void
  /**
   * Does what the secret is for, which awaits nothing, and the secret is gone; null where this is not it. What `work`
   * throws leaves it good: nobody could ask for another one.
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
