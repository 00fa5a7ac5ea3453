import { UptimeClock } from '../../host/uptime-clock.ts'
import type { Clock } from '../../host/clock.ts'
import type { Store } from '../store/store.ts'

export type { Clock }

/** Also counts time across restarts; used to expire things by age. */
export interface AgingClock extends Clock {
  seen(): number
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() }

const COUNT_EVERY = 60 * 60 * 1000

export function agingClock(clock: Clock, store: Store['seenTime']): AgingClock & { stop(): void } {
  const time = new UptimeClock({
    kept: store.read(),
    keep(now) {
      try {
        store.write(now)
      } catch {
        // A full disk only makes things expire later.
      }
    },
    now: () => clock.now(),
    elapsed: () => clock.elapsed(),
  })
  const timer = setInterval(() => time.read(), COUNT_EVERY).unref()
  return {
    now: () => clock.now(),
    elapsed: () => clock.elapsed(),
    seen: () => time.read(),
    stop() {
      clearInterval(timer)
      time.read()
      time.keep()
    },
  }
}

export const isoTime = (ms: number): string => new Date(ms).toISOString()
