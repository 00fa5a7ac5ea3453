import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Server, View } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { dismiss, notices } from '../../ui/feedback/notices.svelte.ts'
import CrashCard from './CrashCard.svelte'

const view = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})
let server: Server
let left: { downloadBytes: number; javaBytes: number; javas: number[] }
let way: ScriptedBridge

beforeEach(() => {
  server = { id: 's', name: 'Meadow', status: 'crashed', role: 'owner' }
  left = { downloadBytes: 3_000_000, javaBytes: 1_000_000, javas: [21] }
  way = new ScriptedBridge({
    'view servers.read': () => view(server),
    'view servers.list': () => view({ items: [server], leftOut: [], more: false }),
    'view servers.status': () => view({ status: 'crashed', exitCode: 1 }),
    'view servers.crash': () =>
      view({ at: '2026-11-23T12:00:00Z', exitCode: 1, evidence: 'a line', cause: 'disk-full' }),
    'view extensions.changes': () => view({}),
    'view software.read': () => view({ id: 'paper' }),
    'view software.fetched': () => view(left),
    'send software.clear-fetched': () => {
      left = { downloadBytes: 0, javaBytes: 0, javas: [] }
      return { ok: true, value: { freedBytes: 4_000_000 } }
    },
  })
  window.panel = way
  panel.take({
    ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
    ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
  })
  for (const { id } of notices()) dismiss(id)
})
const remove = () => page.getByRole('button', { name: /Delete unused downloads/ })
const show = () => render(CrashCard, { server: new ServerState('c', 's'), linked: true })
const sent = () => way.called.filter(({ name }) => name.startsWith('send ')).map(({ name }) => name)

it('what can be downloaded again is deleted on a full disk, and its size is said before and after', async () => {
  await show()
  await expect.element(remove()).toMatchTextContent(/3.8 MB/)
  await remove().click()
  await expect.poll(sent).toEqual(['send software.clear-fetched'])
  await expect.poll(() => notices()[0]?.text()).toBe('Freed 3.8 MB.')
  await expect.element(remove()).not.toBeInTheDocument()
})

it('nobody but who may do it is offered to delete what can be downloaded again', async () => {
  server = { ...server, role: ['server.read', 'console.read', 'control.start'] }
  await show()
  await expect.element(page.getByRole('link', { name: 'Open the trash' })).toBeVisible()
  expect(remove().query()).toBeNull()
})

it('deleting that fails says why, and what is left can be deleted', async () => {
  way.answer('send software.clear-fetched', () => ({
    ok: false,
    problem: { code: 'conflict', message: 'Something is under way.', retryable: false },
  }))
  await show()
  await remove().click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  await expect.element(remove()).toBeVisible()
  expect(notices()).toEqual([])
})
