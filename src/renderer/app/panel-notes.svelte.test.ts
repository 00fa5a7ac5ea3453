import { describe, expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { userEvent } from 'vitest/browser'
import type { Note } from '../../contract/bridge/values.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { useLanguage } from '../messages/t.svelte.ts'
import { ScriptedBridge } from '../core/scripted-bridge.fixture.ts'
import './theme.css'
import PanelNotes from './PanelNotes.svelte'

const cache: Note = {
  id: '1',
  ...localized('kept.cache-anew', { file: '/data/cache.db', aside: '/data/aside' }),
}
const damaged: Note = { id: '2', ...localized('kept.damaged', { file: '/data/transfers.db' }) }

function open(notes: Note[]): ScriptedBridge {
  const way = new ScriptedBridge({
    'app.notes': () => ({ ok: true, value: notes }),
    'app.dismiss-note': () => ({ ok: true, value: undefined }),
  })
  window.panel = way
  return way
}

describe('notes of the panel', () => {
  it('stand until they are dismissed, with the file, and in the language of the moment', async () => {
    const way = open([cache])
    const { getByRole, getByText } = await render(PanelNotes)
    await expect.element(getByText(/\/data\/cache\.db could not be read/)).toBeVisible()
    await useLanguage('de')
    await expect.element(getByText(/\/data\/cache\.db ließ sich nicht lesen/)).toBeVisible()
    await useLanguage('en')
    await userEvent.click(getByRole('button', { name: 'Dismiss' }))
    expect(getByText(/cache\.db/).elements()).toHaveLength(0)
    expect(way.called).toContainEqual({ name: 'app.dismiss-note', input: { id: '1' } })
  })

  it('come while the window is open, and after the panel was out of reach', async () => {
    const way = open([])
    const { getByText } = await render(PanelNotes)
    way.send('notes', [damaged])
    await expect.element(getByText(/no longer read \/data\/transfers\.db/)).toBeVisible()
    way.answer('app.notes', () => ({ ok: true, value: [damaged, cache] }))
    way.reach(false)
    way.reach(true)
    await expect.element(getByText(/cache\.db could not be read/)).toBeVisible()
  })
})
