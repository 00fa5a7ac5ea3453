import { Cron } from 'croner'
import { isTimeZone } from '../../contract/rules/quiet-hours.ts'
import { refusal } from '../../host/refusal.ts'

const FIELDS = /^\S+(?:\s+\S+){4}$/

export interface DueTimes {
  /** The first time after `ms`; null if there is none. Summer time: see docs/schedules.md. */
  after(ms: number): number | null
}

/** Throws 422 at the field. */
export function dueTimes(cron: string, timeZone: string, field = ''): DueTimes {
  if (!isTimeZone(timeZone))
    throw refusal(422, 'request.invalid.time-zone', { zone: timeZone }).at(`${field}timeZone`)
  const wrong = () => refusal(422, 'schedules.invalid.cron', { cron: cron.slice(0, 100) }).at(`${field}cron`)
  if (!FIELDS.test(cron.trim())) throw wrong()
  let times: Cron
  try {
    times = new Cron(cron.trim(), { timezone: timeZone, mode: '5-part' })
  } catch {
    throw wrong()
  }
  return { after: (ms) => times.nextRun(new Date(ms))?.getTime() ?? null }
}

/** The next ones, the first after `ms`. */
export function nextTimes(times: DueTimes, ms: number, most: number): number[] {
  const found: number[] = []
  for (let at = times.after(ms); at !== null && found.length < most; at = times.after(at)) found.push(at)
  return found
}

/** Counted at most: finding each takes time, and nobody needs to know more. */
export const MISSED_MOST = 100

/** Those from `first` until `now`: how many, and the last. */
export function passed(times: DueTimes, first: number, now: number): { count: number; last: number } {
  let [count, last] = [1, first]
  for (let at = times.after(last); at !== null && at <= now && count < MISSED_MOST; at = times.after(last)) {
    last = at
    count++
  }
  return { count, last }
}
