/** For `utimes`: fractional seconds are truncated, so half of all times would end up a millisecond early. */
export function fileTime(ms: number): number | Date {
  // Node treats negative numbers as now, but not negative dates.
  if (ms < 0) return new Date(ms)
  return (ms % 1000 === 0 ? ms : ms + 0.01) / 1000
}
