import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { ForeignContainer } from '../../../contract/areas/containers.ts'
import type { Connection, View } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import Containers from './Containers.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'host', baseUrl: 'http://127.0.0.1:1/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'memory', expiresAt: null },
}
const found: ForeignContainer = {
  ...{ name: 'mc', image: 'itzg/minecraft-server', memoryMb: 2048, port: 25_565, folder: '/srv/mc' },
  ...{ running: true, software: { id: 'paper', name: 'Paper', version: '1.21.4' } },
}
const taken: ForeignContainer = {
  name: 'twin',
  error: { code: 'adopted.no-port', message: 'Players can’t reach this container.' },
}
const view = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})
const list = (...items: ForeignContainer[]) => view({ items, leftOut: [], more: false })

let way: ScriptedBridge
beforeEach(() => {
  way = new ScriptedBridge({
    'view servers.list': () => view({ items: [], leftOut: [], more: false }),
    'send servers.adopt-container': () => ({
      ok: false,
      problem: { code: 'conflict', retryable: false, message: 'The folder is another server’s.' },
    }),
  })
  window.panel = way
  panel.take(connection)
})

it('shows nothing where there is none', async () => {
  way.answer('view servers.list-containers', () => list())
  await render(Containers, { connectionId: 'c' })
  await expect.poll(() => way.called.map(({ name }) => name)).toContain('view servers.list-containers')
  expect(page.getByText('Containers that are already there').elements()).toHaveLength(0)
})

it('says what each is, adopts the one that is chosen, and why another can’t be', async () => {
  way.answer('view servers.list-containers', () => list(found, taken))
  await render(Containers, { connectionId: 'c' })
  await page.getByText('Containers that are already there').click()
  await expect.element(page.getByText('Paper 1.21.4 · 2 GB · Port 25565 · Running')).toBeVisible()
  await expect.element(page.getByText('/srv/mc')).toBeVisible()
  await expect.element(page.getByText('Players can’t reach this container.')).toBeVisible()
  expect(page.getByRole('button').all()).toHaveLength(1)
  await page.getByRole('button', { name: 'Adopt mc' }).click()
  await expect.element(page.getByText('The folder is another server’s.')).toBeVisible()
  expect(way.called.find(({ name }) => name === 'send servers.adopt-container')?.input).toEqual({
    ...{ connectionId: 'c', body: { name: 'mc' } },
  })
})
