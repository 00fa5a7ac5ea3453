import type { QuietHours } from '../areas/notifications.ts'

/** Whether the computer knows a time zone by this name. */
export function isTimeZone(name: string): boolean {
  return clockIn(name) !== null
}

/**
 * Whether it is within the quiet hours at `now` (ms since 1970): by what clocks on walls there say, so that they begin and
 * end at the same time of day on both sides of a change of the clocks. An hour that comes twice is quiet twice. A time zone
 * that is not known any more is never quiet.
 */
export function isQuiet(hours: QuietHours | null | undefined, now: number): boolean {
  if (!hours) return false
  const time = clockIn(hours.timeZone)?.format(now)
  if (time === undefined) return false
  const { begins, ends } = hours
  return begins <= ends ? begins <= time && time < ends : begins <= time || time < ends
}

/** Time zones whose clocks are kept: making one takes longer than reading it a thousand times. */
const KEPT = 50
const clocks = new Map<string, Intl.DateTimeFormat>()

/** The clock of a time zone, as `22:05`. */
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
