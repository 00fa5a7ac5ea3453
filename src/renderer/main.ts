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
// The system's language is the likely one; a setting that says otherwise arrives in a moment.
void useLanguage(resolveLanguage('system'))

if ((window.panel as unknown) === undefined) {
  mount(NoBridge, { target })
} else {
  useFeatures()
  void ready(panel.start())
    .then(() => mount(App, { target }))
    .then(() => panel.mounted())
}

/**
 * Resolves when the first picture can be drawn as it stays: with the servers, and in its own typefaces, which lie beside this
 * file and were begun to be read before it. To draw the frame first and what is in it afterwards takes a quarter longer.
 * What is not there after half a second is not waited for.
 */
async function ready(told: Promise<void>): Promise<void> {
  const own = ['Inter', 'JetBrains Mono'].map((name) => document.fonts.load(`1em "${name} Variable"`))
  await Promise.race([Promise.allSettled([...own, told]), new Promise((late) => setTimeout(late, 500))])
}
