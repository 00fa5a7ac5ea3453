import { expect, test } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { EXAROTON } from '../../../../contract/rules/hosts.ts'
import type { Connection, Server } from '../../../../contract/bridge/values.ts'
import '../../../app/theme.css'
import { panel } from '../../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../../core/scripted-bridge.fixture.ts'
import { several } from './several.svelte.ts'
import SeveralDialog from './SeveralDialog.svelte'

const asOf = '2026-11-22T10:00:00Z'
const steve = {
  kind: 'host',
  baseUrl: EXAROTON,
  state: { kind: 'ready' },
} as Partial<Connection> as Connection
const offline = (id: string) =>
  ({ id, name: id, status: 'offline', role: 'owner' }) as Partial<Server> as Server

test('each account that pays for a start is named with its credits, or that they couldn’t be read', async () => {
  window.panel = new ScriptedBridge({
    'view servers.list': () => ({
      ok: true,
      value: {
        value: { items: [offline('s')], leftOut: [], more: false },
        ...{ asOf, stale: false, problem: null },
      },
    }),
    'view hosting.credits': ({ connectionId }) =>
      connectionId === 'rich'
        ? { ok: true, value: { value: { credits: 1234.567 }, asOf, stale: false, problem: null } }
        : { ok: false, problem: { code: 'offline', message: 'no', retryable: true } },
  })
  for (const id of ['rich', 'away', 'free']) {
    const baseUrl = id === 'free' ? 'https://a.example/api/v1' : EXAROTON
    panel.take({ ...steve, id, name: id, baseUrl })
    await panel.servers(id).read()
  }
  const servers = ['rich', 'away', 'free'].map((connectionId) => ({ connectionId, serverId: 's' }))
  await several.begin('start', servers)
  await render(SeveralDialog)
  const text = () => document.body.textContent
  await expect.poll(text).toContain('2 of them are at exaroton')
  await expect.poll(text).toContain('Credits of rich: 1,234.57')
  await expect.poll(text).toContain('The credits of away couldn’t be read.')
  expect(text()).not.toMatch(/credits of free/i)
  several.close()
})
