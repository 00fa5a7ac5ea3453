import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Connection, RuntimeStatus, View } from '../../../contract/bridge/values.ts'
import type { ViewValue } from '../../../contract/bridge/passed.ts'
import '../../app/theme.css'
import { panel } from '../../core/panel.svelte.ts'
import { route } from '../../core/routes/router.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { notices } from '../../ui/feedback/notices.svelte.ts'
import CreateServer from './CreateServer.svelte'
import { freeName, shortName } from './found-server.ts'
import MemoryInput from '../../ui/form/MemoryInput.svelte'

type Software = ViewValue<'software.list'>['items'][number]

const kind = (name: string, description = `${name} it is.`): Software => ({
  ...{ id: name.toLowerCase(), name, description },
  versions: [{ id: '1.20.6', recommended: true }],
})
const shown = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: null, stale: false, problem: null },
})

let connectionId = 0

async function open(items: Software[], status: RuntimeStatus = { status: 'offline' }) {
  const connection: Connection = {
    ...{ id: `s${++connectionId}`, kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1' },
    ...{ user: null, tokenKept: 'keychain', expiresAt: null, state: { kind: 'ready' } },
  }
  const server = { id: 'n1', name: 'New', status: status.status }
  const bridge = new ScriptedBridge({
    'view servers.list': () => shown({ items: [server], leftOut: [], more: false }),
    'view servers.read': () => shown(server),
    'view servers.status': () => shown(status),
    'view software.list': () => shown({ items, leftOut: [], more: false }),
    'send servers.create': () => ({ ok: true, value: server }),
    'send servers.power': () => ({ ok: true, value: { accepted: true } }),
  })
  window.panel = bridge
  panel.take(connection)
  await render(CreateServer, { connectionId: connection.id })
  const sent = () => bridge.called.map(({ name }) => name).filter((name) => name.startsWith('send '))
  const become = (now: RuntimeStatus) => {
    bridge.answer('view servers.status', () => shown(now))
    const params = { serverId: 'n1' }
    const ref = { view: 'servers.status', connectionId: connection.id, params, query: {} } as const
    bridge.send('view', { ...ref, now: shown(now).value })
  }
  return { sent, become }
}

afterEach(() => history.replaceState(null, '', '/'))

it('kinds are cards with what each is for, the usual ones first; the others follow on request', async () => {
  await open(['Purpur', 'Fabric', 'Folia', 'Vanilla', 'Paper'].map((name) => kind(name)))
  const names = () =>
    [...document.querySelectorAll<HTMLInputElement>('form input[type=radio]')].map(({ value }) => value)
  await expect.poll(names).toEqual(['paper', 'vanilla', 'fabric'])
  await expect.element(page.getByRole('radio', { name: 'Paper' })).toHaveAccessibleDescription('Paper it is.')
  await expect
    .element(page.getByLabelText('Version', { exact: true }))
    .toHaveDisplayValue('1.20.6 · recommended')
  await page.getByRole('button', { name: 'More…' }).click()
  await expect.poll(names).toEqual(['paper', 'vanilla', 'fabric', 'purpur', 'folia'])
  await page.getByRole('radio', { name: 'Folia' }).click()
  await expect.element(page.getByRole('radio', { name: 'Folia' })).toBeChecked()
})

it('a server is created and started; one that is still being installed is started after that', async () => {
  const { sent, become } = await open([kind('Demo')], { status: 'installing' })
  await page.getByRole('button', { name: 'Create and start' }).click()
  await expect.poll(sent).toEqual(['send servers.create'])
  await expect.poll(() => location.hash).toContain('/s/n1/')
  become({ status: 'offline' })
  await expect.poll(sent).toEqual(['send servers.create', 'send servers.power'])
})

it('a server whose installation failed is not started', async () => {
  const { sent, become } = await open([kind('Demo')], { status: 'installing' })
  await page.getByRole('button', { name: 'Create and start' }).click()
  await expect.poll(() => location.hash).toContain('/s/n1/')
  become({
    status: 'offline',
    failure: { error: { message: 'No network.' } },
  })
  become({ status: 'online' })
  expect(sent()).toEqual(['send servers.create'])
})

it('a server can be created without starting it', async () => {
  const { sent } = await open([kind('Demo')])
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect.poll(() => location.hash).toContain('/s/n1/')
  expect(sent()).toEqual(['send servers.create'])
})

it('whoever leaves the form while a server is created is not moved, and is told', async () => {
  const { sent } = await open([kind('Demo')])
  const { promise, resolve } = Promise.withResolvers<void>()
  const bridge = window.panel as ScriptedBridge
  bridge.answer('send servers.create', async () => {
    await promise
    return { ok: true, value: { id: 'n1', name: 'New', status: 'offline' } }
  })
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect.poll(sent).toEqual(['send servers.create'])
  location.hash = '#/settings'
  await expect.poll(route).toMatchObject({ view: 'settings' })
  resolve()
  await expect
    .poll(() => notices().map(({ text }) => text()))
    .toContainEqual(expect.stringMatching(/ is created\.$/))
  expect(location.hash).toBe('#/settings')
})

it('memory is a slider up to what the computer has', async () => {
  const props = { value: '2048', most: 24_064, hint: () => '', error: null }
  await render(MemoryInput, props)
  const slider = page.getByRole('slider', { name: 'Memory' })
  await expect.element(slider).toHaveAttribute('max', '24064')
  await expect.element(slider).toHaveAttribute('aria-valuetext', '2 GB')
  await expect.element(page.getByText('2 GB of 23.5 GB')).toBeVisible()
})

it.each(['1500', '65536'])('memory of %s MB, for which a slider has no step, is a number', async (value) => {
  await render(MemoryInput, { value, most: 24_064, hint: () => '', error: null })
  await expect.element(page.getByRole('textbox', { name: 'Memory' })).toHaveValue(value)
})

it('a server of a modpack is called as the modpack, with a number where that is taken', () => {
  const taken = { id: '1', name: 'Cozy Cottage', status: 'offline' as const }
  expect(freeName([], shortName('Cozy Cottage'))).toBe('Cozy Cottage')
  expect(freeName([taken], shortName(' Cozy Cottage '))).toBe('Cozy Cottage 2')
  expect(shortName('x'.repeat(300))).toHaveLength(50)
})
