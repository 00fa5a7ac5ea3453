import { held } from './leaving.ts'
import { href, parseRoute, type Route } from './route.ts'

let address = $state(location.hash)
/** Read when it is first asked for: by then the tabs are named. */
const current = $derived(parseRoute(address))

addEventListener('hashchange', () => {
  const wanted = location.hash
  if (wanted === address) return
  if (held(() => (location.hash = wanted))) {
    // The address says again what is shown, until a person has decided.
    history.pushState(null, '', address || '#/')
    return
  }
  address = wanted
})

/** What the main area shows now. */
export function route(): Route {
  return current
}

/** Goes to a view. With `replace` the one that is left cannot be come back to. */
export function go(to: Exclude<Route, { view: 'unknown' }>, how: { replace?: boolean } = {}): void {
  if (how.replace) location.replace(href(to))
  else location.hash = href(to)
}
