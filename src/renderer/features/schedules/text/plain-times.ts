/** A time as most people say it. Everything else is cron. */
export type PlainTime =
  | { kind: 'daily' | 'weekdays'; time: string }
  | { kind: 'weekly'; day: string; time: string }
  | { kind: 'hours'; every: string }

/** Every so many hours: only what a day can be divided by. */
export const HOURS = ['1', '2', '3', '4', '6', '8', '12']
/** Monday first. */
export const DAYS = ['1', '2', '3', '4', '5', '6', '0']

export function plainTime(cron: string): PlainTime | null {
  const [, every = null] = /^0 \*(?:\/(\d+))? \* \* \*$/.exec(cron) ?? [undefined, '']
  if (every === null || HOURS.includes(every)) return { kind: 'hours', every: every ?? '1' }
  const [, minute = '', hour = '', day = ''] = /^(\d{1,2}) (\d{1,2}) \* \* (\*|1-5|[0-6])$/.exec(cron) ?? []
  if (day === '' || Number(minute) > 59 || Number(hour) > 23) return null
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (day === '*') return { kind: 'daily', time }
  return day === '1-5' ? { kind: 'weekdays', time } : { kind: 'weekly', day, time }
}

export function cronOf(plain: PlainTime): string {
  if (plain.kind === 'hours') return plain.every === '1' ? '0 * * * *' : `0 */${plain.every} * * *`
  const [hour, minute] = plain.time.split(':').map(Number)
  const day = { daily: '*', weekdays: '1-5', weekly: plain.kind === 'weekly' ? plain.day : '*' }[plain.kind]
  return `${minute ?? 0} ${hour ?? 0} * * ${day}`
}
