import { mount } from 'svelte'
import './app/theme.css'
import App from './app/App.svelte'
import { useFeatures } from './app/features.ts'
import NoWay from './app/NoWay.svelte'
import { panel } from './core/panel.svelte.ts'
import { showRememberedTheme } from './core/theme.svelte.ts'
import { resolveLanguage, useLanguage } from './messages/t.svelte.ts'

const target = document.getElementById('app')
if (!target) throw new Error('The page has no element #app to draw into.')

showRememberedTheme()
// The system's language is the likely one; a setting that says otherwise arrives in a moment.
void useLanguage(resolveLanguage('system'))

if ((window.panel as unknown) === undefined) {
  mount(NoWay, { target })
} else {
  useFeatures()
  panel.start()
  void typefaces().then(() => mount(App, { target }))
}

/**
 * Resolves when text is drawn in its own typefaces, so that nothing moves when they come. They lie beside this file and
 * were begun to be read before it; what is not there after a second is not waited for.
 */
async function typefaces(): Promise<void> {
  const own = ['Inter Variable', 'JetBrains Mono Variable'].map((name) =>
    document.fonts.load(`1em "${name}"`),
  )
  await Promise.race([Promise.allSettled(own), new Promise((resolve) => setTimeout(resolve, 1_000))])
}
