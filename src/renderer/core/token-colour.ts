import { MediaQuery } from 'svelte/reactivity'
import { themeChanges } from './theme.svelte.ts'

/** What the system asks for, by which tokens have other colours. */
const asked = ['prefers-color-scheme: dark', 'prefers-contrast: more', 'forced-colors: active'].map(
  (query) => new MediaQuery(query),
)

/**
 * The colour a token has now, as text for a canvas or a terminal: `tokenColour('--graph-cpu')`. Read in an effect it
 * follows the theme, and what the system asks for.
 */
export function tokenColour(token: `--${string}`): string {
  themeChanges()
  for (const query of asked) void query.current
  const probe = document.createElement('i')
  probe.style.color = `var(${token})`
  document.body.append(probe)
  const colour = getComputedStyle(probe).color
  probe.remove()
  return colour
}
