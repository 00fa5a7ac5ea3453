/**
 * A time in ms since 1970 as `utimes` has to be given it, so that the file has this very millisecond afterwards. Seconds
 * as a fraction are cut off on their way to the system, and half of all times would be a millisecond early.
 */
export function fileTime(ms: number): number | Date {
  // Node takes a number below zero for now, and a date not.
  if (ms < 0) return new Date(ms)
  return (ms % 1000 === 0 ? ms : ms + 0.01) / 1000
}
