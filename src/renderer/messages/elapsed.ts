import { ago, dateTime, duration } from './format.ts'

const MINUTE = 60_000

/** The age for today, otherwise the date. */
export function agoToday(at: string | number | Date, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString()
  return isToday ? ago(at, now) : dateTime(at)
}

/** `3 h 12 min`, and `< 1 min`: seconds that don't tick are worse than none. */
export function minutesSince(at: string, now: number): string {
  const length = now - new Date(at).getTime()
  return length < MINUTE ? `< ${duration(MINUTE)}` : duration(Math.floor(length / MINUTE) * MINUTE)
}
