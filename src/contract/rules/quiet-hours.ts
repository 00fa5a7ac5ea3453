import type { QuietHours } from '../areas/notifications.ts'

export function isTimeZone(name: string): boolean {
  return clockIn(name) !== null
}

/** By local wall-clock time; `now` is ms since 1970. A repeated hour is quiet twice, an unknown time zone never. */
export function isQuiet(hours: QuietHours | null | undefined, now: number): boolean {
  if (!hours) return false
  const time = clockIn(hours.timeZone)?.format(now)
  if (time === undefined) return false
  const { begins, ends } = hours
  return begins <= ends ? begins <= time && time < ends : begins <= time || time < ends
}

/** Cache size: creating a formatter takes longer than using it a thousand times. */
const KEPT = 50
const clocks = new Map<string, Intl.DateTimeFormat>()

/** Formats as `22:05`. */
function clockIn(timeZone: string): Intl.DateTimeFormat | null {
  const known = clocks.get(timeZone)
  if (known) return known
  try {
    const made = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    if (clocks.size >= KEPT) clocks.clear()
    clocks.set(timeZone, made)
    return made
  } catch {
    return null
  }
}
