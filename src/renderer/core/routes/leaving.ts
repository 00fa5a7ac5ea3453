import type { Stop } from '../bridge.ts'

/** Asked before a view is left. True: it asks a person and calls `go` when it may be left after all. */
export type LeavingGuard = (go: () => void) => boolean

const guards = new Set<LeavingGuard>()

/** Holds the view for as long as there is something in it that leaving would lose. */
export function guardLeaving(guard: LeavingGuard): Stop {
  guards.add(guard)
  return () => void guards.delete(guard)
}

/** Whether something holds the view. It calls `go` when it lets go. */
export function held(go: () => void): boolean {
  return [...guards].some((guard) => guard(go))
}
