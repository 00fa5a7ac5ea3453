import type { Notification } from '../../../contract/areas/notifications.ts'

/** A notification, and whose. */
export interface Told {
  connectionId: string
  notification: Notification
}

/** Those of a day, or what was unread when the feed was opened. */
export interface Group {
  /** `new`, a day as `2026-11-23`, or empty where nobody knows when. */
  day: string
  all: Told[]
}

export const keyOf = ({ connectionId, notification }: Told): string => `${connectionId} ${notification.id}`

/** The time of a notification in ms since 1970; null where it was not given, or is none. */
export function timeOf({ createdAt }: Notification): number | null {
  const at = Date.parse(createdAt ?? '')
  return Number.isNaN(at) ? null : at
}

/** The day of a time where the window is, as `2026-11-23`. */
export function dayOf(at: number): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/**
 * The newest first, by days; what is `fresh` before them. What has no time stands last, in the order of its service. At most
 * `most` in all.
 */
export function grouped(all: readonly Told[], fresh: (told: Told) => boolean, most: number): Group[] {
  const time = ({ notification }: Told) => timeOf(notification) ?? -Infinity
  const sorted = all.toSorted((one, other) => {
    const first = Number(fresh(other)) - Number(fresh(one))
    if (first !== 0) return first
    const [a, b] = [time(one), time(other)]
    return a === b ? 0 : b - a
  })
  const groups = new Map<string, Told[]>()
  for (const told of sorted.slice(0, most)) {
    const at = timeOf(told.notification)
    const day = fresh(told) ? 'new' : at === null ? '' : dayOf(at)
    const group = groups.get(day)
    if (group) group.push(told)
    else groups.set(day, [told])
  }
  return [...groups].map(([day, told]) => ({ day, all: told }))
}
