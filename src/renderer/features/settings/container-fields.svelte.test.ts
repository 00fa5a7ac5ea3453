import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Connection, Server, ServerConfig, View } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { useLanguage } from '../../messages/t.svelte.ts'
// Loaded later otherwise, when what it needs would be prepared for the first time.
import './JavaSettings.svelte'
import { coresCheck, coresOf } from './cpu-cores.ts'
import { java as javaSection } from './index.ts'
import ServerSettings from './ServerSettings.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const off: ServerConfig = { name: 'Meadow', autoStart: false, autoRestart: false, driver: 'process' }
const on: ServerConfig = { ...off, driver: 'docker', cpus: 2 }
const OWNER_ONLY = /Only the owner of the server can change this\.$/

let way: ScriptedBridge
let role: Server['role']
let status: 'offline' | 'online'

const view = <T>(value: T, tag?: string): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null, ...(tag && { tag }) },
})

beforeEach(() => {
  role = 'owner'
  status = 'offline'
  way = new ScriptedBridge({
    'view servers.read': () => view({ id: 's', name: 'Meadow', role }),
    'view servers.list': () => view({ items: [{ id: 's', name: 'Meadow' }], leftOut: [], more: false }),
    'view servers.status': () => view({ status }),
    'view software.javas': () => view({ items: [], leftOut: [], more: false }),
    'send servers.change-config': () => ({ ok: true, value: on }),
  })
  window.panel = way
  panel.take(connection)
})

async function show(config: ServerConfig): Promise<void> {
  way.answer('view servers.read-config', () => view(config, '"1"'))
  await render(ServerSettings, { server: new ServerState('c', 's'), sections: [javaSection] })
}
/** The settings are others now. */
function change(config: ServerConfig, tag: string): void {
  const id = { connectionId: 'c', params: { serverId: 's' }, query: {} }
  way.send('view', { view: 'servers.read-config', ...id, now: view(config, tag).value })
}
const sent = () =>
  way.called
    .filter(({ name }) => name === 'send servers.change-config')
    .map(({ input }) => (input as { body: unknown }).body)
const box = page.getByRole('checkbox', { name: 'Run in a container' })
const cores = page.getByLabelText('Processor cores')
const save = page.getByRole('button', { name: 'Save' })
const reviewed = () =>
  page
    .getByRole('row')
    .elements()
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent.trim()).join(' '))

it('turns the container on with the cores it may use, says what that is for, and reviews both', async () => {
  await show(off)
  await expect.element(box).not.toBeChecked()
  await expect
    .element(box)
    .toHaveAccessibleDescription(
      'Keeps it apart from other servers and the rest of its computer. Takes effect at the next start.',
    )
  expect(cores.query()).toBeNull()
  await box.click()
  await cores.fill(' 0,5 ')
  await page.getByRole('button', { name: 'Review' }).click()
  await expect.poll(reviewed).toEqual(['Run in a container off → on', 'Processor cores all → 0.5'])
  await save.click()
  await expect.poll(sent).toEqual([{ driver: 'docker', cpus: 0.5 }])
})

it('lets it use all cores where the field is emptied, and sends neither where nothing was changed', async () => {
  await show(on)
  await expect.element(cores).toHaveValue('2')
  await cores.fill('2.0')
  expect(save.query()).toBeNull()
  await cores.fill('')
  await save.click()
  await expect.poll(sent).toEqual([{ cpus: null }])
})

it('says at the field what it cannot use, and saves nothing until then', async () => {
  await show(on)
  for (const typed of ['many', '0', '0,05', '256.5', '1e2', '-1', '1.2.3']) {
    await cores.fill(typed)
    await expect.element(cores).toHaveAccessibleDescription('Enter a number from 0.1 to 256.')
    await expect.element(save).toHaveAttribute('aria-disabled', 'true')
  }
  await page.getByRole('button', { name: 'Review' }).click()
  await expect.poll(reviewed).toEqual(['Processor cores 2 → 1.2.3'])
  expect(sent()).toEqual([])
  await cores.fill('256')
  await save.click()
  await expect.poll(sent).toEqual([{ cpus: 256 }])
})

it('turns the container off alone: cores count for nothing then, and come back with it', async () => {
  await show(on)
  await cores.fill('many')
  await box.click()
  await expect.element(cores).not.toBeInTheDocument()
  await expect.element(page.getByText('1 unsaved change', { exact: true })).toBeVisible()
  await box.click()
  await expect.element(cores).toHaveValue('many')
  await box.click()
  await save.click()
  await expect.poll(sent).toEqual([{ driver: 'process' }])
})

it('shows whoever is not the owner that only the owner can change it, and lets them set its cores', async () => {
  role = ['server.read', 'config.read', 'config.write']
  await show(on)
  await expect.element(box).toHaveAttribute('aria-disabled', 'true')
  await expect.element(box).toHaveAccessibleDescription(OWNER_ONLY)
  box.element().focus()
  await userEvent.keyboard(' ')
  await expect.element(box).toBeChecked()
  expect(save.query()).toBeNull()
  await box.click({ force: true })
  await expect.element(box).toBeChecked()
  expect(save.query()).toBeNull()
  await cores.fill('3')
  await save.click()
  await expect.poll(sent).toEqual([{ cpus: 3 }])
})

it('says how the program that runs was started, until it is started again', async () => {
  status = 'online'
  await show({ ...on, running: { driver: 'process' } })
  await expect.element(box).toHaveAccessibleDescription(/Runs without a container until the next start\.$/)
  change({ ...off, running: { driver: 'docker' } }, '"2"')
  await expect.element(box).toHaveAccessibleDescription(/Runs in a container until the next start\.$/)
  change(off, '"3"')
  await expect.element(box).toHaveAccessibleDescription(/Takes effect at the next start\.$/)
})

it('shows at the checkbox why the service refused it', async () => {
  const message = 'Only the owner of a server can change whether it runs in a container.'
  way.answer('send servers.change-config', () => ({
    ok: false,
    problem: {
      ...{ code: 'forbidden', message, serviceCode: 'engine.owner', retryable: false },
      fields: { driver: [message] },
    },
  }))
  await show(off)
  await box.click()
  await save.click()
  await expect.element(box).toHaveAccessibleDescription(message)
  await expect.element(box).toBeChecked()
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
})

it('asks which cores count where they were changed elsewhere too, and takes over a container that only they turned off', async () => {
  const problem = { code: 'changed' as const, message: 'It was changed.', retryable: false }
  way.answer('send servers.change-config', () => ({ ok: false, problem }))
  await show(on)
  await expect.element(cores).toHaveValue('2')
  let theirs: ServerConfig = { ...on, cpus: null }
  way.answer('view servers.read-config', () => view(theirs, '"2"'))
  await cores.fill('0.5')
  await save.click()
  await expect.element(page.getByRole('button', { name: 'Theirs: all' })).toBeVisible()
  way.answer('send servers.change-config', () => ({ ok: true, value: on }))
  theirs = { ...on, cpus: 0.5 }
  await page.getByRole('button', { name: 'Mine: 0.5' }).click()
  await save.click()
  await expect.poll(() => sent().at(-1)).toEqual({ cpus: 0.5 })
  await cores.fill('4')
  change(off, '"3"')
  await expect.element(box).not.toBeChecked()
  await expect.element(save).not.toBeInTheDocument()
})

it('has nothing of containers where a service offers none, or runs it in a way that is not known here', async () => {
  const { driver: _, ...none } = off
  await show(none)
  await expect.element(page.getByLabelText('Start when the service starts')).toBeVisible()
  expect(box.query()).toBeNull()
  change({ ...off, driver: { kind: 'unknown', raw: 'jail' }, autoStart: true }, '"2"')
  await expect.element(page.getByLabelText('Start when the service starts')).toBeChecked()
  expect(box.query()).toBeNull()
})

it('writes and reads cores as people do in their language', async () => {
  await useLanguage('de')
  onTestFinished(() => useLanguage('en'))
  await show({ ...on, cpus: 1.25 })
  const kerne = page.getByLabelText('Prozessorkerne')
  await expect.element(kerne).toHaveValue('1,25')
  await kerne.fill('300')
  await expect.element(kerne).toHaveAccessibleDescription('Gib eine Zahl von 0,1 bis 256 ein.')
  await kerne.fill('1.25')
  await expect.element(page.getByRole('button', { name: 'Speichern' })).not.toBeInTheDocument()
  expect(['', ' 2 ', '0,5', '.5', '1.', '1,2,3', 'x'].map(coresOf)).toEqual([
    null,
    2,
    0.5,
    0.5,
    NaN,
    NaN,
    NaN,
  ])
  expect(['0.1', '256', ''].map(coresCheck)).toEqual([null, null, null])
})

it('where there are several computers, its owner chooses the one it runs on', async () => {
  const several: ServerConfig = { ...on, nodes: ['node-1', 'node-2'] }
  status = 'online'
  way.answer('view servers.status', () => view({ status, node: { name: 'node-1', isGone: false } }))
  await show(several)
  const choice = page.getByLabelText('Runs on')
  await expect
    .element(choice)
    .toHaveAccessibleDescription(/Runs on node-1 now\. Takes effect at the next start\./)
  await choice.selectOptions('node-2')
  await page.getByRole('button', { name: 'Review' }).click()
  await expect.poll(reviewed).toEqual(['Runs on Any computer → node-2'])
  await save.click()
  await expect.poll(sent).toEqual([{ node: 'node-2' }])
})

it('a computer that its owner chose is shown to others, who cannot change it', async () => {
  role = ['server.read', 'config.read', 'config.write']
  way.answer('view servers.status', () => view({ status, node: { name: 'node-1', isGone: false } }))
  await show({ ...on, node: 'node-2' })
  const choice = page.getByLabelText('Runs on')
  await expect.element(choice).toHaveValue('node-2')
  await expect.element(choice).toBeDisabled()
})
