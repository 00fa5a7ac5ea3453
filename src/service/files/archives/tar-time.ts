import type { TarHeader } from './tar-reader.ts'

/** Unix ms; null if invalid. Headers have whole seconds up to 2242, pax records have the exact time. */
export function timeOf({ mtime, pax }: Pick<TarHeader, 'mtime' | 'pax'>): number | null {
  const exact = Number(pax.get('mtime') ?? NaN) * 1000
  // Floating-point seconds are inexact to the ms.
  const time = new Date(Number.isFinite(exact) ? Math.round(exact) : mtime).getTime()
  return Number.isFinite(time) ? time : null
}
