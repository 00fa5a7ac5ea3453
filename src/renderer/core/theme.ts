import type { Settings } from '../../contract/bridge/values.ts'

type Theme = Settings['theme']

const remembered = 'theme'

/** Shows a theme. It is remembered in the window too, so that the next start paints right before main has answered. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  localStorage.setItem(remembered, theme)
}

/** Shows the theme of last time, before anything was asked. */
export function showRememberedTheme(): void {
  const theme = localStorage.getItem(remembered)
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
}
