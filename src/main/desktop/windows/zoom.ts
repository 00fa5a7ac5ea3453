/** Chromium zoom levels, 20% each: about ½ to 4. */
const LEAST = -4
const MOST = 8
const STEP = 0.5

export function zoomed(level: number, direction: 'in' | 'out'): number {
  const next = (Number.isFinite(level) ? level : 0) + (direction === 'in' ? STEP : -STEP)
  return Math.min(MOST, Math.max(LEAST, next))
}
