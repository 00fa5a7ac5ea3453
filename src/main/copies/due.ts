import type { CopyPlan } from './copy-plans.ts'

const NOTICE_AFTER = 3 * 24 * 60 * 60 * 1000

type Timing = Pick<CopyPlan, 'on' | 'hour' | 'since' | 'last' | 'lastGood' | 'isTold'>

/** Whether a copy's time has come since the last try, by the local clock. One that was missed is due at once. */
export function isDue({ on, hour, since, last }: Timing, now: number): boolean {
  if (!on) return false
  const time = new Date(now)
  time.setHours(hour, 0, 0, 0)
  if (time.getTime() > now) time.setDate(time.getDate() - 1)
  const tried = Math.max(Date.parse(since), last ? Date.parse(last.at) : 0)
  // A time in the future: the clock was set back.
  return time.getTime() > Math.min(tried, now)
}

/** Whether the user is to be told that there has been no copy lately. */
export function lacksCopies({ on, since, lastGood, isTold }: Timing, now: number): boolean {
  const from = Math.max(Date.parse(since), lastGood === null ? 0 : Date.parse(lastGood))
  return on && !isTold && now - from >= NOTICE_AFTER
}
