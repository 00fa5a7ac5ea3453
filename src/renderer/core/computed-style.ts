import { createSubscriber, MediaQuery } from 'svelte/reactivity'

const asked = ['prefers-color-scheme: dark', 'prefers-contrast: more', 'forced-colors: active'].map(
  (query) => new MediaQuery(query),
)
/** Cached until one of these changes: each lookup computes the styles of the whole page. */
const known = new Map<string, string>()
let knownOf = ''

const chosen = createSubscriber((update) => {
  const changes = new MutationObserver(update)
  changes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => changes.disconnect()
})

/** A token's current color as text for canvases and terminals: `tokenColor('--graph-cpu')`. Reactive. */
export function tokenColor(token: `--${string}`): string {
  chosen()
  const now = [document.documentElement.dataset.theme, ...asked.map(({ current }) => current)].join(' ')
  // Forced colors can change without an event.
  if (now !== knownOf || asked[2]!.current) known.clear()
  knownOf = now
  const before = known.get(token)
  if (before !== undefined) return before
  const probe = document.createElement('i')
  probe.style.color = `var(${token})`
  document.body.append(probe)
  const color = getComputedStyle(probe).color
  probe.remove()
  known.set(token, color)
  return color
}

/** Scales pixels to the user's text size, where rem is not available: placed rows, terminals, canvases. */
export const atTextSize = (pixels: number): number =>
  (pixels * parseFloat(getComputedStyle(document.documentElement).fontSize)) / 16
