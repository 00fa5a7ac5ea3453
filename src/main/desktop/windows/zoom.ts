/** How far a page is zoomed, as Chromium counts: a level is a fifth more or less. About a half, and about four times. */
const LEAST = -4
const MOST = 8
/** As the entries of the menu do. */
const STEP = 0.5

/** The level after one turn of the wheel. What is no number begins anew. */
export function zoomed(level: number, direction: 'in' | 'out'): number {
  const next = (Number.isFinite(level) ? level : 0) + (direction === 'in' ? STEP : -STEP)
  return Math.min(MOST, Math.max(LEAST, next))
}
