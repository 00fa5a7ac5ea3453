import { UptimeClock } from '../../host/uptime-clock.ts'
import type { Store } from '../store/store.ts'

/** Where the time comes from, all in milliseconds; tests hold it in their hands. */
export interface Clock {
  /** Since 1970, as the computer's clock says: for what people read and what is told to others. It can be set. */
  now(): number
  /** Since some moment: for how long something takes or waits while this program runs. Nobody can set it. */
  elapsed(): number
}

/** A clock that also knows how much time was seen passing over restarts: for what is removed for its age. */
export interface AgeingClock extends Clock {
  seen(): number
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() }

/** Often enough that a power failure costs little, in milliseconds. */
const COUNT_EVERY = 60 * 60 * 1000

/** The clock of a service whose data folder keeps what was seen of time. */
export function ageingClock(clock: Clock, store: Store['seenTime']): AgeingClock & { stop(): void } {
  const time = new UptimeClock({
    kept: store.read(),
    keep(now) {
      try {
        store.write(now)
      } catch {
        // On a full disk less is counted, and things are kept for longer: no reason to end, or to refuse what asks for it.
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

/** A time as the API writes it: ISO 8601 in UTC. */
export const isoTime = (ms: number): string => new Date(ms).toISOString()
