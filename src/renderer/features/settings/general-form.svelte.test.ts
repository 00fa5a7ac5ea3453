import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Connection, Server, ServerConfig, View } from '../../../contract/bridge/values.ts'
import { EXAROTON } from '../../../contract/rules/hosts.ts'
import { held } from '../../core/routes/router.svelte.ts'
import { panel } from '../../core/panel.svelte.ts'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
// Loaded later otherwise, when what it needs would be prepared for the first time.
import './GeneralSettings.svelte'
import { general } from './index.ts'
import ServerSettings from './ServerSettings.svelte'

const connection: Connection = {
  ...{ id: 'local', kind: 'local', name: 'This computer', baseUrl: 'http://127.0.0.1:1/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'memory', expiresAt: null },
}
const server: Server = { id: 's', name: 'Meadow', status: 'online', role: 'owner' }
const usual: ServerConfig = {
  ...{ name: 'Meadow', memoryMb: 2048, memoryMostMb: 16 * 1024, port: 25565, openTo: 'computer' },
  running: { memoryMb: 2048, port: 25565, openTo: 'computer' },
}

let way: ScriptedBridge
const viewed = <T>(value: T, tag?: string): View<T> => ({
  ...{ value, asOf: new Date().toISOString(), stale: false, problem: null },
  ...(tag && { tag }),
})
const view = <T>(value: T, tag?: string) => ({ ok: true as const, value: viewed(value, tag) })

beforeEach(() => {
  way = new ScriptedBridge({
    'view servers.read': () => view(server),
    'view servers.list': () => view({ items: [server], leftOut: [], more: false }),
    'view servers.status': () => view({ status: 'online' }),
    'view files.list': () => view({ items: [], leftOut: [], more: false }),
    'send servers.change-config': () => ({ ok: true, value: usual }),
  })
  window.panel = way
  panel.take(connection)
})

const sent = () =>
  way.called.filter(({ name }) => name === 'send servers.change-config').map(({ input }) => input)
const at = { connectionId: 'local', params: { serverId: 's' }, ifMatch: '"1"' }
async function show(config: ServerConfig): Promise<void> {
  way.answer('view servers.read-config', () => view(config, '"1"'))
  await render(ServerSettings, { server: new ServerState('local', 's'), sections: [general] })
}
const who = () => page.getByLabelText('Who can connect')
const save = () => page.getByRole('button', { name: 'Save' })

it('sends who can connect and another port, and nothing that was not changed', async () => {
  await show(usual)
  await expect.element(page.getByText('Nobody else can join.')).toBeVisible()
  await expect.element(page.getByText('Up to 16 GB')).toBeVisible()
  await who().selectOptions('network')
  await expect.element(page.getByText(/^From the internet too/)).toBeVisible()
  await page.getByLabelText('Port').fill('80')
  await expect.element(save()).toHaveAttribute('aria-disabled', 'true')
  await expect.element(page.getByText('Enter a port from 1024 to 65535.')).toBeVisible()
  expect(sent()).toEqual([])
  await page.getByLabelText('Port').fill('25570')
  await save().click()
  await expect.poll(sent).toEqual([{ ...at, body: { port: 25570, openTo: 'network' } }])
})

it('marks what the program that runs does not know yet, until it is started anew', async () => {
  await show({ ...usual, memoryMb: 4096, port: 25570, openTo: 'network' })
  await expect.element(page.getByText('Runs with 2 GB until the next start.')).toBeVisible()
  await expect.element(page.getByText('Runs with 25565 until the next start.')).toBeVisible()
  await expect
    .element(page.getByText('Only the server’s computer can connect until the next start.'))
    .toBeVisible()
  const { running: _old, ...now } = { ...usual, memoryMb: 4096, port: 25570, openTo: 'network' as const }
  const id = {
    view: 'servers.read-config',
    connectionId: 'local',
    params: { serverId: 's' },
    query: {},
  } as const
  way.send('view', { ...id, now: viewed(now, '"1"') })
  await expect.element(page.getByText(/until the next start/)).not.toBeInTheDocument()
})

it('warns before a server that checks no accounts itself is opened', async () => {
  await show({ ...usual, properties: [{ key: 'online-mode', value: 'false' }] })
  const warning = page.getByText(/under any name, including yours/)
  await expect.element(warning).not.toBeInTheDocument()
  await who().selectOptions('network')
  await expect.element(warning).toBeVisible()
})

it('offers neither port nor who can connect where the service tells nothing of them', async () => {
  await show({ name: 'Meadow', memoryMb: 2048 })
  await expect.element(page.getByLabelText('Memory')).toBeVisible()
  expect(who().query()).toBeNull()
  expect(page.getByLabelText('Port').query()).toBeNull()
})

it('asks before what was typed is lost, and lets go once it is discarded', async () => {
  await show(usual)
  let left = 0
  expect(held(() => left++)).toBe(false)
  await page.getByLabelText('Name').fill('Orchard')
  await expect.poll(() => held(() => left++)).toBe(true)
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  expect(left).toBe(1)
  await expect.element(page.getByLabelText('Name')).toHaveValue('Meadow')
  expect(held(() => left++)).toBe(false)
})

it('asks of a name that was changed here and elsewhere too, and takes over a memory that only they have changed', async () => {
  const theirs = { ...usual, name: 'Garden', memoryMb: 4096 }
  const problem = { code: 'changed' as const, message: 'It was changed.', retryable: false }
  way.answer('send servers.change-config', () => ({ ok: false, problem }))
  await show(usual)
  await expect.element(page.getByLabelText('Name')).toHaveValue('Meadow')
  way.answer('view servers.read-config', () => {
    way.answer('send servers.change-config', () => ({ ok: true, value: theirs }))
    return view(theirs, '"2"')
  })
  const [name, memory] = [page.getByLabelText('Name'), page.getByLabelText('Memory')]
  await name.fill('Orchard')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByRole('button', { name: 'Theirs: Garden' })).toBeVisible()
  await expect.element(name).toHaveValue('Orchard')
  await expect.element(memory).toHaveValue('4096')
  await page.getByRole('button', { name: 'Mine: Orchard' }).click()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => sent().at(-1)).toEqual({ ...at, ifMatch: '"2"', body: { name: 'Orchard' } })
})

it('sets when it sleeps and who wakes it, and says what friends see of it', async () => {
  await show({ ...usual, sleep: {} })
  const after = page.getByLabelText('Sleep when empty')
  const wake = page.getByLabelText('Who can wake it')
  await expect.element(after).toHaveDisplayValue('Off')
  await expect.element(page.getByText('It keeps running when nobody is on.')).toBeVisible()
  expect(wake.query()).toBeNull()
  await after.selectOptions('After 15 minutes')
  await expect.element(wake).toHaveDisplayValue('Whoever joins')
  await expect.element(page.getByText(/Joining wakes it/)).toBeVisible()
  await wake.selectOptions('Players on the whitelist')
  await save().click()
  await expect.poll(sent).toEqual([{ ...at, body: { sleep: { afterMinutes: 15, wake: 'whitelist' } } }])
})

it('keeps on offer what was chosen elsewhere, and turns it off', async () => {
  await show({ ...usual, sleep: { afterMinutes: 7, wake: 'nobody' } })
  const after = page.getByLabelText('Sleep when empty')
  await expect.element(after).toHaveDisplayValue('After 7 minutes')
  await expect.element(page.getByText(/until somebody starts it here/)).toBeVisible()
  await after.selectOptions('Off')
  await save().click()
  await expect.poll(sent).toEqual([{ ...at, body: { sleep: null } }])
})

it('has nothing of sleep where a service tells nothing of it', async () => {
  await show(usual)
  await expect.element(page.getByLabelText('Memory')).toBeVisible()
  expect(page.getByLabelText('Sleep when empty').query()).toBeNull()
})

it('says of a container that others made what it decides, and offers only the name', async () => {
  await show({ ...usual, running: null, container: 'mc' })
  await expect
    .element(page.getByText(/^This server runs in the container mc, which others made/))
    .toBeVisible()
  await expect.element(page.getByLabelText('Name')).toBeVisible()
  for (const label of ['Memory', 'Port', 'Who can connect'])
    expect(page.getByLabelText(label).elements()).toHaveLength(0)
})

it('offers no name where the host takes none', async () => {
  panel.take({ ...connection, kind: 'host', baseUrl: EXAROTON })
  await show({ name: 'Meadow', memoryMb: 4096 })
  await expect.element(page.getByLabelText('Memory')).toBeVisible()
  expect(page.getByLabelText('Name').query()).toBeNull()
})
