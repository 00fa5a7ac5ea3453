import type { BigIntStats } from 'node:fs'

/** For `utimes`: fractional seconds are truncated, so half of all times would end up a millisecond early. */
export function fileTime(ms: number): number | Date {
  // Node treats negative numbers as now, but not negative dates.
  if (ms < 0) return new Date(ms)
  return (ms % 1000 === 0 ? ms : ms + 0.01) / 1000
}

/** In ms, rounded: the times we set are a fraction earlier on the disk. */
export const timeOf = ({ mtimeNs }: Pick<BigIntStats, 'mtimeNs'>): number =>
  Math.round(Number(mtimeNs / 1000n) / 1000)
