import type { Header } from 'tar-stream'

/**
 * When something in a tar was changed, ms since 1970; null where that is no time. The header holds whole seconds up to
 * 2242, its pax record all of it, which tar-stream leaves unread.
 */
export function timeOf({ mtime, pax }: Header): number | null {
  const exact = Number((pax as Record<string, string> | null | undefined)?.['mtime'] ?? NaN) * 1000
  // A fraction of a second is not held to the millisecond.
  const time = new Date(Number.isFinite(exact) ? Math.round(exact) : mtime).getTime()
  return Number.isFinite(time) ? time : null
}
