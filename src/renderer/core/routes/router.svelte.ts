import { held } from './leaving.ts'
import { href, parseRoute, type Route } from './route.ts'

let address = $state(location.hash)
/** Read when it is first asked for: by then the tabs are named. */
const current = $derived(parseRoute(address))
/** What was left to sign in. */
let leftToSignIn: Exclude<Route, { view: 'unknown' | 'sign-in' }> | null = null

addEventListener('hashchange', () => {
  const wanted = location.hash
  if (wanted === address) return
  if (held(() => (location.hash = wanted))) {
    // The address says again what is shown, until a person has decided.
    history.pushState(null, '', address || '#/')
    return
  }
  const left = current
  address = wanted
  if (current.view !== 'sign-in') leftToSignIn = null
  else if (left.view !== 'sign-in') leftToSignIn = left.view === 'unknown' ? null : left
})

/** What the main area shows now. */
export function route(): Route {
  return current
}

/** What the main area showed before the form to sign in, which it shows now; null where that was nothing to go back to. */
export const beforeSignIn = () => leftToSignIn

/** Goes to a view. With `replace` the one that is left cannot be come back to. */
export function go(to: Exclude<Route, { view: 'unknown' }>, how: { replace?: boolean } = {}): void {
  if (how.replace) location.replace(href(to))
  else location.hash = href(to)
}
