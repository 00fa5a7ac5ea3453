import type { Settings } from '../../contract/bridge/values.ts'

type Theme = Settings['theme']

const remembered = 'theme'

/** Counts changes of what is drawn; reading it makes an effect run again when the colours are others. */
let changes = $state(0)

/** Shows a theme. It is remembered in the window too, so that the next start paints right before main has answered. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  localStorage.setItem(remembered, theme)
  changes += 1
}

/** Shows the theme of last time, before anything was asked. */
export function showRememberedTheme(): void {
  const theme = localStorage.getItem(remembered)
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => (changes += 1))
}

/**
 * The colour a token has now, as text for a canvas or a terminal: `tokenColour('--graph-cpu')`. Read in an effect it
 * follows the theme.
 */
export function tokenColour(token: `--${string}`): string {
  void changes
  const probe = document.createElement('i')
  probe.style.color = `var(${token})`
  document.body.append(probe)
  const colour = getComputedStyle(probe).color
  probe.remove()
  return colour
}
