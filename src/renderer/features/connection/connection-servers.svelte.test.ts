import { beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { userEvent } from 'vitest/browser'
import type { Connection } from '../../../contract/bridge/values.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import ConnectionServers from './ConnectionServers.svelte'

const said = localized('local.data-damaged', {
  file: '/data/service/service.db',
  when: '2026-01-01 00:00 UTC',
})
const problem = { code: 'local-failed', ...said, retryable: true, serviceCode: 'local.restorable' } as const
const local: Connection = {
  ...{ id: 'local', kind: 'local', name: 'This computer', baseUrl: '', user: null, tokenKept: 'memory' },
  ...{ expiresAt: null, state: { kind: 'offline', problem, since: '2026-01-01T00:00:00Z' } },
}

let way: ScriptedBridge
beforeEach(() => {
  way = new ScriptedBridge({
    'view servers.list': () => ({
      ok: true,
      value: {
        value: { items: [], leftOut: [], more: false },
        asOf: '2026-01-01T00:00:00Z',
        stale: true,
        problem: null,
      },
    }),
    'connections.retry': () => ({ ok: false, problem }),
    'connections.restore-this-computer': () => ({ ok: true, value: { ...local, state: { kind: 'ready' } } }),
  })
  window.panel = way
})

it('offers the copy of a database that cannot be read, although servers are known from before', async () => {
  const { getByRole, getByText } = await render(ConnectionServers, { connection: local })
  await expect.element(getByText(/service\.db, cannot be used.*copy from 2026-01-01/)).toBeVisible()
  await userEvent.click(getByRole('button', { name: 'Restore the copy' }))
  await expect.poll(() => way.called.map(({ name }) => name)).toContain('connections.restore-this-computer')
  expect(way.called.map(({ name }) => name)).not.toContain('connections.retry')
})

it('offers no copy where there is none', async () => {
  const { serviceCode: _none, ...other } = problem
  const state = { kind: 'offline', problem: other, since: '2026-01-01T00:00:00Z' } as const
  const { getByRole, getByText } = await render(ConnectionServers, { connection: { ...local, state } })
  await expect.element(getByText('No servers here yet')).toBeVisible()
  expect(getByRole('button', { name: 'Restore the copy' }).elements()).toHaveLength(0)
})

it('offers no copy because another service says so', async () => {
  const state = {
    kind: 'offline',
    problem: { ...problem, code: 'service-failed' },
    since: '2026-01-01T00:00:00Z',
  } as const
  const { getByRole, getByText } = await render(ConnectionServers, {
    connection: { ...local, id: 'other', kind: 'service', name: 'Other', state },
  })
  await expect.element(getByText('No servers here yet')).toBeVisible()
  expect(getByRole('button', { name: 'Restore the copy' }).elements()).toHaveLength(0)
})
