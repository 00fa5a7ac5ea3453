import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Connection, Server, View } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { dismiss, notices } from '../../ui/feedback/notices.svelte.ts'
import './power-problem.ts'
import PowerButtons from './PowerButtons.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const message = 'Port 25565 is in use by another program.'
const taken = { code: 'conflict' as const, message, retryable: false, serviceCode: 'server.port-taken' }
const at = { connectionId: 'c', params: { serverId: 's' } }

let way: ScriptedBridge
let server: Server
const view = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})

beforeEach(() => {
  server = { id: 's', name: 'Meadow', status: 'offline', role: 'owner' }
  let isMoved = false
  way = new ScriptedBridge({
    'view servers.read': () => view(server),
    'view servers.list': () => view({ items: [server], leftOut: [], more: false }),
    'view servers.status': () => view({ status: 'offline' }),
    'send servers.power': () =>
      isMoved ? { ok: true, value: { accepted: true } } : { ok: false, problem: taken },
    'send servers.change-port': () => {
      isMoved = true
      return { ok: true, value: { port: 25570 } }
    },
  })
  window.panel = way
  panel.take(connection)
  for (const { id } of notices()) dismiss(id)
})

const start = async () => {
  await render(PowerButtons, { server: new ServerState('c', 's') })
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await expect.poll(() => notices()).toHaveLength(1)
  return notices()[0]!
}
const writes = () =>
  way.called.filter(({ name }) => name.startsWith('send ')).map(({ name, input }) => [name, input])

it('a server whose port is taken is given another one and started by one button', async () => {
  const { action, more } = await start()
  expect(more?.()).toContain(message)
  expect(action?.label()).toBe('Use another port and start')
  await action?.run()
  const started = ['send servers.power', { ...at, body: { action: 'start' } }]
  expect(writes()).toEqual([started, ['send servers.change-port', { ...at, body: {} }], started])
  expect(notices().map(({ text }) => text())).toContain('The server now uses port 25570.')
})

it('who may not change its settings is told without that button', async () => {
  server = { ...server, role: ['server.read', 'control.start'] }
  expect((await start()).action).toBeUndefined()
})
