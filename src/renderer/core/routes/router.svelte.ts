import { href, parseRoute, type Route } from './route.ts'
import type { Stop } from '../bridge.ts'

let address = $state(location.hash)
/** Lazy, so that the tabs are registered first. */
const current = $derived(parseRoute(address))
let leftToSignIn: Exclude<Route, { view: 'unknown' | 'sign-in' }> | null = null

addEventListener('hashchange', () => {
  const wanted = location.hash
  if (wanted === address) return
  if (held(() => (location.hash = wanted))) {
    // Keep the shown address until the user decides.
    history.pushState(null, '', address || '#/')
    return
  }
  const left = current
  address = wanted
  if (current.view !== 'sign-in') leftToSignIn = null
  else if (left.view !== 'sign-in') leftToSignIn = left.view === 'unknown' ? null : left
})

export function route(): Route {
  return current
}

/** The view before the sign-in form; null if there is none to return to. */
export const beforeSignIn = () => leftToSignIn

/** Tells later whether the address is still the present one: an answer that took long moves nobody who has left. */
export function stillHere(): () => boolean {
  const here = address
  return () => address === here
}

export function go(to: Exclude<Route, { view: 'unknown' }>, how: { replace?: boolean } = {}): void {
  if (how.replace) location.replace(href(to))
  else location.hash = href(to)
}

/** Called before leaving a view. Returns true to block; calls `go` if the user agrees later. */
type LeavingGuard = (go: () => void) => boolean

const guards = new Set<LeavingGuard>()

export function guardLeaving(guard: LeavingGuard): Stop {
  guards.add(guard)
  return () => void guards.delete(guard)
}

export function held(go: () => void): boolean {
  return [...guards].some((guard) => guard(go))
}

let expected: string | null = null

export function expectArrival(serverId: string): void {
  expected = serverId
}

/** True once for the expected page; cleared if another page comes first. */
export function takeArrival(serverId: string): boolean {
  const isIt = expected === serverId
  expected = null
  return isIt
}
