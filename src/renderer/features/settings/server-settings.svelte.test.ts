import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Connection, Server, ServerConfig, View } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import { href, type Section, useTabs } from '../../core/routes/route.ts'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { danger, general, java, properties, settings } from './index.ts'
import ServerSettings from './ServerSettings.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const config: ServerConfig = { name: 'Meadow', autoStart: false }
let role: Server['role']

const view = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})
const list = <T>(items: T[]) => view({ items, leftOut: [], more: false as const })

beforeEach(() => {
  role = 'owner'
  useTabs([settings.tab], ['general', 'properties', 'java', 'danger'])
  window.panel = new ScriptedBridge({
    'view servers.read': () => view({ id: 's', name: 'Meadow', role }),
    'view servers.list': () => list([{ id: 's', name: 'Meadow' }]),
    'view servers.status': () => view({ status: 'offline' }),
    'view servers.read-config': () => view(config),
    'view software.javas': () => list([]),
    'view files.list': () => list([]),
  })
  panel.take(connection)
})
afterEach(() => {
  location.hash = ''
})

const at = (section?: Section): string =>
  href({
    ...{ view: 'server', connectionId: 'c', serverId: 's', tab: 'settings' },
    ...(section && { section }),
  })
const links = page.getByRole('navigation', { name: 'Settings sections' }).getByRole('link')
const link = (name: string) => links.filter({ hasText: name })
const open = (section?: Section) => {
  location.hash = at(section)
  return render(ServerSettings, {
    ...{ server: new ServerState('c', 's'), sections: [general, properties, java, danger] },
  })
}
const names = () => links.elements().map((one) => one.textContent)
const name = page.getByLabelText('Name', { exact: true })

it('shows one section at a time, the first where none is asked for, and its address', async () => {
  await open()
  await expect.element(name).toHaveValue('Meadow')
  await expect.element(link('General')).toHaveAttribute('aria-current', 'page')
  await expect.poll(names).toEqual(['General', 'Java and starting', 'Danger zone'])
  await link('Danger zone').click()
  await expect.element(page.getByRole('button', { name: 'Delete server' })).toBeVisible()
  await expect.element(name).not.toBeInTheDocument()
  expect(location.hash).toBe(at('danger'))
})

it('asks before a section with changes is left', async () => {
  await open('general')
  await name.fill('Hill')
  await link('Java and starting').click()
  await expect.element(page.getByRole('dialog')).toMatchTextContent(/Save the changes to General\?/)
  await page.getByRole('button', { name: 'Stay here' }).click()
  await expect.element(name).toHaveValue('Hill')
  await expect.element(link('General')).toHaveAttribute('aria-current', 'page')
})

it('says in one sentence why a section that a link leads to is absent', async () => {
  await open('properties')
  await expect
    .element(page.getByRole('heading', { name: 'The service doesn’t show these settings for this server.' }))
    .toBeVisible()
  await expect.poll(names).not.toContain('Game settings')
})

it('offers nobody what only the owner can do', async () => {
  role = ['config.read', 'config.write']
  await open('danger')
  await expect
    .element(page.getByRole('heading', { name: 'Only the owner can duplicate or delete this server.' }))
    .toBeVisible()
  await expect.poll(names).toEqual(['General', 'Java and starting'])
  expect(page.getByRole('button').elements()).toEqual([])
})
