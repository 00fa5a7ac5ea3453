/** Timestamps of one log: most only have a time of day. */
interface LogTime {
  at(line: string): number | null
}

/** `[12:34:56] `, `[12:34:56 INFO]: `, `[11Feb2026 05:35:14.246] ` (Forge), `2013-01-31 12:34:56 [INFO] ` (before 1.7). */
const TIME =
  /^\[?(?:(?<day>\d\d)(?<month>[A-Z][a-z]{2})(?<year>\d{4}) |(?<date>\d{4}-\d\d-\d\d) )?(?<hours>\d\d):(?<minutes>\d\d):(?<seconds>\d\d)/
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** Going back further means the next day; less is a clock change. Ms. */
const NEXT_DAY_MS = 6 * 60 * 60 * 1000

/** @param first local day of the first line; month from 0 */
export function logTimes(first: { year: number; month: number; day: number }): LogTime & { days(): number } {
  let days = 0
  let last = -1
  return {
    days: () => days,
    at(line) {
      const said = TIME.exec(line)?.groups
      if (!said) return null
      const { day, month = '', year, date, hours, minutes, seconds } = said
      const time = [Number(hours), Number(minutes), Number(seconds)] as const
      if (date !== undefined) {
        const [ofYear = 0, ofMonth = 1, ofDay = 1] = date.split('-').map(Number)
        return new Date(ofYear, ofMonth - 1, ofDay, ...time).getTime()
      }
      if (day !== undefined)
        return new Date(Number(year), MONTHS.indexOf(month), Number(day), ...time).getTime()
      const ofDay = ((time[0] * 60 + time[1]) * 60 + time[2]) * 1000
      if (ofDay < last - NEXT_DAY_MS) days += 1
      last = ofDay
      // Via the calendar: days aren't always 24 hours.
      return new Date(first.year, first.month, first.day + days, ...time).getTime()
    },
  }
}

/** `2026-11-20-1.log.gz`; null without a day. */
export function dayOfName(name: string): { year: number; month: number; day: number } | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)-\d{1,6}\.log(?:\.gz)?$/.exec(name)
  return match && { year: Number(match[1]), month: Number(match[2]) - 1, day: Number(match[3]) }
}

export function dayOf(ms: number): { year: number; month: number; day: number } {
  const date = new Date(ms)
  return { year: date.getFullYear(), month: date.getMonth(), day: date.getDate() }
}
