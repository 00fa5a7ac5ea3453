import type { StoredMark } from '../store/stats.ts'

const STARTS = 5
const LONGEST_MS = 15 * 60_000

/** How long the last starts took, in ms: their median. Null if none is known. */
export function usualStart(marks: readonly StoredMark[]): number | null {
  const took: number[] = []
  let begun: number | null = null
  for (const { at, status } of marks) {
    if (status === 'online' && begun !== null) took.push(at - begun)
    begun = status === 'starting' ? at : null
  }
  const last = took
    .filter((ms) => ms > 0 && ms < LONGEST_MS)
    .slice(-STARTS)
    .sort((a, b) => a - b)
  return last[last.length >> 1] ?? null
}

/** What is left of it, in seconds as people say them. */
export const secondsLeft = (usualMs: number | null, goneMs: number): number | null =>
  usualMs === null ? null : Math.max(5, Math.ceil((usualMs - goneMs) / 5000) * 5)
