import { href, parseRoute, type Route } from './route.ts'

let current = $state.raw<Route>(parseRoute(location.hash))

addEventListener('hashchange', () => {
  current = parseRoute(location.hash)
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
