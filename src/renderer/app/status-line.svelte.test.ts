import { expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { userEvent } from 'vitest/browser'
import type { Problem } from '../../contract/bridge/problem.ts'
import type { Connection, ServerList, View } from '../../contract/bridge/values.ts'
import { ScriptedBridge } from '../core/scripted-bridge.fixture.ts'
import { panel } from '../core/panel.svelte.ts'
import StatusLine from './StatusLine.svelte'
import './theme.css'

const connection: Connection = {
  id: 'c',
  kind: 'service',
  name: 'c',
  baseUrl: 'http://c/api/v1',
  user: null,
  state: { kind: 'ready' },
  tokenKept: 'keychain',
  expiresAt: null,
}
const problem: Problem = {
  code: 'service-failed',
  message: 'The service failed with status 500.',
  retryable: true,
}
const list = (problem: Problem | null): View<ServerList> => ({
  value: { items: [], leftOut: [], more: false },
  asOf: '2026-11-22T08:00:00Z',
  stale: problem !== null,
  problem,
})

it('says that a list could not be refreshed until it could, and lets a person try at once', async () => {
  const way = new ScriptedBridge({
    'connections.list': () => ({ ok: true, value: [connection] }),
    'settings.read': () => ({
      ok: true,
      value: { theme: 'light', language: 'en', timestamps: false, playersOn: 'ask' },
    }),
    'view servers.list': () => ({ ok: true, value: list(problem) }),
    'connections.retry': () => ({ ok: true, value: connection }),
    'transfers.list': () => ({ ok: true, value: { items: [], limit: null, atOnce: 2 } }),
  })
  window.panel = way
  void panel.start()
  const { getByRole, getByText } = await render(StatusLine, { openShortcuts: () => undefined })
  await expect.element(getByText(/Could not refresh/)).toBeVisible()
  const asked = () => way.called.filter(({ name }) => name === 'view servers.list').length
  const before = asked()
  await userEvent.click(getByRole('button', { name: 'Try again' }))
  await expect.poll(asked).toBeGreaterThan(before)
  await expect.element(getByText(/Could not refresh/)).toBeVisible()
  // Main has read it by itself.
  const named = { view: 'servers.list', connectionId: 'c', params: {}, query: {} } as const
  way.send('view', { ...named, now: list(null) })
  await expect.element(getByText(/Could not refresh/)).not.toBeInTheDocument()
  await expect.element(getByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
})
