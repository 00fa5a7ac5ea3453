import type { Settings } from '../../contract/bridge/values.ts'

type Theme = Settings['theme']

const remembered = 'theme'

/** Applies a theme and stores it in the window, so the next start paints correctly before main replies. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  localStorage.setItem(remembered, theme)
}

export function showRememberedTheme(): void {
  const theme = localStorage.getItem(remembered)
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
}
