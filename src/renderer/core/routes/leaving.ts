import type { Stop } from '../bridge.ts'

/** Called before leaving a view. Returns true to block; calls `go` if the user agrees later. */
export type LeavingGuard = (go: () => void) => boolean

const guards = new Set<LeavingGuard>()

export function guardLeaving(guard: LeavingGuard): Stop {
  guards.add(guard)
  return () => void guards.delete(guard)
}

export function held(go: () => void): boolean {
  return [...guards].some((guard) => guard(go))
}
