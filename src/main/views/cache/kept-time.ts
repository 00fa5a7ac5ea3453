import { UptimeClock } from '../../../host/uptime-clock.ts'
import type { Cache } from './cache.ts'

const NAME = 'seen-time'
/** In ms; limits what a power failure loses. */
const COUNT_EVERY = 60 * 60 * 1000

/** Running time of the panel over all sessions, in ms. */
export async function openKeptTime(cache: Cache, now: () => number) {
  const [seen = NaN, at = NaN] = ((await cache.readSetting(NAME)) ?? '').split(' ').map(Number)
  const time = new UptimeClock({
    kept: Number.isFinite(seen) && Number.isFinite(at) ? { seen, at } : null,
    // On a full disk time is lost, so things are kept longer.
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
