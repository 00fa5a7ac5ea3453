import { createSubscriber, MediaQuery } from 'svelte/reactivity'

/** What the system asks for, by which tokens have other colours. */
const asked = ['prefers-color-scheme: dark', 'prefers-contrast: more', 'forced-colors: active'].map(
  (query) => new MediaQuery(query),
)
/** Colours that were asked for since any of that changed: each question computes the styles of the whole page. */
const known = new Map<string, string>()
let knownOf = ''

/** Follows the theme that a person chose. */
const chosen = createSubscriber((update) => {
  const changes = new MutationObserver(update)
  changes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => changes.disconnect()
})

/**
 * The colour a token has now, as text for a canvas or a terminal: `tokenColour('--graph-cpu')`. Read in an effect it
 * follows the theme, and what the system asks for.
 */
export function tokenColour(token: `--${string}`): string {
  chosen()
  const now = [document.documentElement.dataset.theme, ...asked.map(({ current }) => current)].join(' ')
  // The system's own colours may change without a word.
  if (now !== knownOf || asked[2]!.current) known.clear()
  knownOf = now
  const before = known.get(token)
  if (before !== undefined) return before
  const probe = document.createElement('i')
  probe.style.color = `var(${token})`
  document.body.append(probe)
  const colour = getComputedStyle(probe).color
  probe.remove()
  known.set(token, colour)
  return colour
}
