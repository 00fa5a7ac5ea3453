import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Connection, Server, ServerConfig, View } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import { href, type Section, useTabs } from '../../core/routes/route.ts'
import '../../app/theme.css'
import { dismiss, notices } from '../../ui/feedback/notices.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
// Loaded later otherwise, when what they need would be prepared for the first time.
import './DangerZone.svelte'
import './GameSettings.svelte'
import './GeneralSettings.svelte'
import './JavaSettings.svelte'
import { danger, general, java, properties, settings } from './index.ts'
import ServerSettings from './ServerSettings.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
let config: ServerConfig
let way: ScriptedBridge
let role: Server['role']
let status: 'offline' | 'online'

const view = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})
const list = <T>(items: T[]) => view({ items, leftOut: [], more: false as const })

beforeEach(() => {
  role = 'owner'
  status = 'offline'
  config = { name: 'Meadow', autoStart: false }
  useTabs([settings.tab, 'overview'], ['general', 'properties', 'java', 'danger'])
  way = new ScriptedBridge({
    'view servers.read': () => view({ id: 's', name: 'Meadow', role }),
    'view servers.list': () => list([{ id: 's', name: 'Meadow' }]),
    'view servers.status': () => view({ status }),
    'view servers.read-config': () => view(config),
    'view software.javas': () => list([]),
    'view files.list': () => list([]),
    'files.read-page': () => ({ ok: false, problem: { code: 'not-found', message: '', retryable: false } }),
    'send servers.change-config': ({ body: { properties: _, ...body } }) => {
      config = { ...config, ...body, properties: config.properties }
      return { ok: true, value: config }
    },
  })
  window.panel = way
  panel.take(connection)
})
afterEach(() => {
  location.hash = ''
  for (const { id } of notices()) dismiss(id)
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
const sent = () =>
  way.called
    .filter(({ name }) => name === 'send servers.change-config')
    .map(({ input }) => (input as { body: unknown }).body)
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

it('keeps changes while other sections are shown, reviews them together and saves them by one bar', async () => {
  config.properties = [{ key: 'pvp', type: 'switch', default: 'true', value: null, group: 'general' }]
  await open('general')
  await name.fill('Hill')
  await link('Java and starting').click()
  await page.getByLabelText('Start when the service starts').click()
  await link('Game settings').click()
  await page.getByRole('switch', { name: 'Player versus player' }).click()
  await expect.element(page.getByText('3 unsaved changes')).toBeVisible()
  await page.getByRole('button', { name: 'Review' }).click()
  const rows = page.getByRole('row').elements().slice(1)
  expect(rows.map((row) => [...row.children].map((cell) => cell.textContent.trim()).join(' '))).toEqual([
    'Name Meadow → Hill',
    'Start when the service starts off → on',
    'Player versus player on → off',
  ])
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByRole('button', { name: 'Save' })).not.toBeInTheDocument()
  expect(sent()).toEqual([
    { name: 'Hill', autoStart: true },
    { properties: [{ key: 'pvp', value: 'false' }] },
  ])
})

it('says that the server has to restart, also if what is saved last takes effect at once', async () => {
  status = 'online'
  config.properties = [{ key: 'pvp', type: 'switch', default: 'true', value: null, group: 'general' }]
  await open('properties')
  await page.getByRole('switch', { name: 'Player versus player' }).click()
  await link('General').click()
  await name.fill('Hill')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByRole('button', { name: 'Save' })).not.toBeInTheDocument()
  expect(notices().map(({ text }) => text())).toEqual(['Saved. Takes effect after a restart.'])
})

it('offers the restart that is needed, and says so only until then', async () => {
  status = 'online'
  config.properties = [{ key: 'pvp', type: 'switch', default: 'true', value: null, group: 'general' }]
  way.answer('send servers.power', () => ({ ok: true, value: { accepted: true } }))
  await open('properties')
  await page.getByRole('switch', { name: 'Player versus player' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => notices()[0]?.action?.label()).toBe('Restart')
  await notices()[0]?.action?.run()
  expect(way.called.at(-1)).toMatchObject({
    name: 'send servers.power',
    input: { body: { action: 'restart' } },
  })
  way.send('view', {
    ...{ view: 'servers.status', connectionId: 'c', params: { serverId: 's' }, query: {} },
    now: { ...view({ status, since: '2026-11-29T06:00:00Z' }).value },
  })
  await expect.poll(notices).toEqual([])
})

it('asks once before settings with changes in several sections are left, and discards all of them', async () => {
  await open('general')
  await name.fill('Hill')
  await link('Java and starting').click()
  const starts = page.getByLabelText('Start when the service starts')
  await starts.click()
  location.hash = href({ view: 'server', connectionId: 'c', serverId: 's', tab: 'overview' })
  const dialog = page.getByRole('dialog')
  await expect.element(dialog).toMatchTextContent(/Save the changes to Settings\?/)
  await dialog.getByRole('button', { name: 'Stay here' }).click()
  await expect.element(starts).toBeChecked()
  location.hash = href({ view: 'server', connectionId: 'c', serverId: 's', tab: 'overview' })
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(page.getByText('2 unsaved changes')).not.toBeInTheDocument()
})

it('leads to the section where something has to be corrected first', async () => {
  await open('general')
  await name.fill(' ')
  await link('Java and starting').click()
  await expect.element(page.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('link', { name: 'Fix in General' }).click()
  await expect.element(name).toHaveAccessibleDescription('This field is required.')
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
