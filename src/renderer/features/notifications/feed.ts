import type { Notification } from '../../../contract/areas/notifications.ts'

export interface FeedItem {
  connectionId: string
  notification: Notification
}

export interface Group {
  /** `new`, a day as `2026-11-23`, or empty if unknown. */
  day: string
  all: FeedItem[]
}

export const keyOf = ({ connectionId, notification }: FeedItem): string =>
  `${connectionId} ${notification.id}`

/** In ms since 1970; null if missing or invalid. */
export function timeOf({ createdAt }: Notification): number | null {
  const at = Date.parse(createdAt ?? '')
  return Number.isNaN(at) ? null : at
}

/** In the window's time zone, as `2026-11-23`. */
export function dayOf(at: number): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Fresh ones first, then newest first by day; those without a time last. At most `most` in all. */
export function grouped(all: readonly FeedItem[], fresh: (told: FeedItem) => boolean, most: number): Group[] {
  const time = ({ notification }: FeedItem) => timeOf(notification) ?? -Infinity
  const sorted = all.toSorted((one, other) => {
    const first = Number(fresh(other)) - Number(fresh(one))
    if (first !== 0) return first
    const [a, b] = [time(one), time(other)]
    return a === b ? 0 : b - a
  })
  const groups = new Map<string, FeedItem[]>()
  for (const told of sorted.slice(0, most)) {
    const at = timeOf(told.notification)
    const day = fresh(told) ? 'new' : at === null ? '' : dayOf(at)
    const group = groups.get(day)
    if (group) group.push(told)
    else groups.set(day, [told])
  }
  return [...groups].map(([day, told]) => ({ day, all: told }))
}
