import { mount } from 'svelte'
import './app/theme.css'
import './app/contrast.css'
import App from './app/App.svelte'
import { useFeatures } from './app/features.ts'
import NoBridge from './app/NoBridge.svelte'
import { panel } from './core/panel.svelte.ts'
import { showRememberedTheme } from './core/theme.ts'
import { resolveLanguage, useLanguage } from './messages/t.svelte.ts'

const target = document.getElementById('app')
if (!target) throw new Error('The page has no element #app to draw into.')

showRememberedTheme()
// Likely right; the setting may correct it in a moment.
void useLanguage(resolveLanguage('system'))

if ((window.panel as unknown) === undefined) {
  mount(NoBridge, { target })
} else {
  useFeatures()
  void ready(panel.start())
    .then(() => mount(App, { target }))
    .then(() => panel.mounted())
}

/** Waits at most half a second for servers and own fonts: painting the frame first takes a quarter longer in total. */
async function ready(told: Promise<void>): Promise<void> {
  const own = ['Inter', 'JetBrains Mono'].map((name) => document.fonts.load(`1em "${name} Variable"`))
  await Promise.race([Promise.allSettled([...own, told]), new Promise((late) => setTimeout(late, 500))])
}
