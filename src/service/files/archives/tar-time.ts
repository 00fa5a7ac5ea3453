import type { TarHeader } from './tar-reader.ts'

/**
 * When something in a tar was changed, ms since 1970; null where that is no time. The header holds whole seconds up to
 * 2242, its pax record all of it.
 */
export function timeOf({ mtime, pax }: Pick<TarHeader, 'mtime' | 'pax'>): number | null {
  const exact = Number(pax.get('mtime') ?? NaN) * 1000
  // A fraction of a second is not held to the millisecond.
  const time = new Date(Number.isFinite(exact) ? Math.round(exact) : mtime).getTime()
  return Number.isFinite(time) ? time : null
}
