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
  mount(App, { target })
  // Nothing waits for these: what main says is in English words already.
  void import('./messages/sentences.ts').catch(() => undefined)
}
