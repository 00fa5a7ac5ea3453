import { UptimeClock } from '../../../host/uptime-clock.ts'
import type { Cache } from './cache.ts'

const NAME = 'seen-time'
/** Often enough that a power failure costs little, in milliseconds. */
const COUNT_EVERY = 60 * 60 * 1000

/** The time that was seen passing over all runs of this panel, in ms; the cache keeps it. */
export async function openKeptTime(cache: Cache, now: () => number) {
  const [seen = NaN, at = NaN] = ((await cache.readSetting(NAME)) ?? '').split(' ').map(Number)
  const time = new UptimeClock({
    kept: Number.isFinite(seen) && Number.isFinite(at) ? { seen, at } : null,
    // On a full disk less is counted, and things are kept for longer.
    keep: (kept) =>
      void cache.writeSetting(NAME, `${Math.floor(kept.seen)} ${Math.floor(kept.at)}`).catch(() => undefined),
    now,
    elapsed: () => performance.now(),
  })
  const timer = setInterval(() => time.read(), COUNT_EVERY).unref()
  return {
    read: () => time.read(),
    stop() {
      clearInterval(timer)
      time.read()
      time.keep()
    },
  }
}
