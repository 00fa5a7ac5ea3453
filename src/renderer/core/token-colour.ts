import { MediaQuery } from 'svelte/reactivity'
import { themeChanges } from './theme.svelte.ts'

/** What the system asks for, by which tokens have other colours. */
const asked = ['prefers-color-scheme: dark', 'prefers-contrast: more', 'forced-colors: active'].map(
  (query) => new MediaQuery(query),
)
/** Colours that were asked for since any of that changed: each question computes the styles of the whole page. */
const known = new Map<string, string>()
let knownOf = ''

/**
 * The colour a token has now, as text for a canvas or a terminal: `tokenColour('--graph-cpu')`. Read in an effect it
 * follows the theme, and what the system asks for.
 */
export function tokenColour(token: `--${string}`): string {
  const now = [themeChanges(), ...asked.map(({ current }) => current)].join(' ')
  if (now !== knownOf) known.clear()
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
