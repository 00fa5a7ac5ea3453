import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Server, View } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { dismiss, notices } from '../../ui/feedback/notices.svelte.ts'
import CrashCard from './CrashCard.svelte'

const server: Server = { id: 's', name: 'Meadow', status: 'crashed', role: 'owner' }
const view = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})

let way: ScriptedBridge
beforeEach(() => {
  way = new ScriptedBridge({
    'view servers.read': () => view(server),
    'view servers.list': () => view({ items: [server], leftOut: [], more: false }),
    'view servers.status': () => view({ status: 'crashed', exitCode: 1 }),
    'view servers.crash': () =>
      view({ at: '2026-11-23T12:00:00Z', exitCode: 1, evidence: 'a line', cause: 'mixin' }),
    'view extensions.changes': () => view({}),
    'view software.read': () => view({ id: 'paper' }),
  })
  window.panel = way
  panel.take({
    ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
    ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
  })
  for (const { id } of notices()) dismiss(id)
})

const button = (name: string) => page.getByRole('button', { name })
const show = () => render(CrashCard, { server: new ServerState('c', 's'), linked: true })

it('the log of a crash is copied, and what was taken out is said', async () => {
  const copied: string[] = []
  const own = navigator.clipboard.writeText.bind(navigator.clipboard)
  navigator.clipboard.writeText = async (text) => void copied.push(text)
  onTestFinished(() => void (navigator.clipboard.writeText = own))
  const removed = { addresses: 2, players: 1, ids: 0, secrets: 0, users: 1 }
  way.answer('view servers.crash-log', () => view({ text: 'a log', removed, cut: true }))
  await show()
  await button('Copy log').click()
  await expect
    .element(page.getByRole('status'))
    .toHaveTextContent(
      'The log was copied. Removed: 2 addresses, the name of 1 player, your name in paths. It was very long, so this is only its end.',
    )
  expect(copied).toEqual(['a log'])
})

it('the log of a crash is saved as a file', async () => {
  way.answer('servers.save-crash-log', () => ({ ok: true, value: { path: '/downloads/crash-s.log' } }))
  await show()
  await button('Save log').click()
  await expect
    .element(page.getByRole('status'))
    .toHaveTextContent('The log was saved as /downloads/crash-s.log.')
})
