import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { HostDatabase, HostPort } from '../../../contract/areas/hosting.ts'
import type { Connection, View } from '../../../contract/bridge/values.ts'
import '../../app/theme.css'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { dismiss, notices } from '../../ui/feedback/notices.svelte.ts'
import Databases from './Databases.svelte'
import Ports from './Ports.svelte'

const connection: Connection = {
  ...{
    id: 'c',
    kind: 'host',
    name: 'panel.example',
    baseUrl: 'https://panel.example/api/client',
    user: null,
  },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const view = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})
const everything = [
  ...['databases.read', 'databases.create', 'databases.write', 'databases.delete'],
  ...['ports.read', 'ports.create', 'ports.write', 'ports.delete'],
]

let way: ScriptedBridge
let role: string[]
let databases: HostDatabase[]
let most: number | null
let ports: HostPort[]
let password: string | null
const done = { ok: true, value: undefined } as const

beforeEach(async () => {
  role = everything
  most = 2
  password = 'pa55'
  databases = [{ id: 'd1', name: 's7_shop', user: 'u7', host: 'db.example.com', port: 3306, from: '%' }]
  ports = [
    { id: '1', host: 'play.example.com', port: 25_565, isPrimary: true },
    { id: '2', host: 'play.example.com', port: 8100, note: 'Web map', isPrimary: false },
  ]
  way = new ScriptedBridge({
    'view servers.read': () => view({ id: 's', name: 'Meadow', role }),
    'view servers.list': () => view({ items: [{ id: 's', name: 'Meadow', role }], leftOut: [], more: false }),
    'view servers.status': () => view({ status: 'offline' }),
    'view hosting.databases': () => view({ databases, most }),
    'view hosting.ports': () => view({ ports, most }),
    'servers.database-password': () => ({ ok: true, value: { password } }),
    'send hosting.add-database': ({ body }) => {
      databases = [...databases, { id: 'd2', name: `s7_${body.name}` }]
      return done
    },
    'send hosting.renew-password': () => done,
    'send hosting.remove-database': () => {
      databases = []
      return done
    },
    'send hosting.change-port': () => done,
    'send hosting.remove-port': () => done,
    'send hosting.add-port': () => ({
      ok: false,
      problem: { code: 'invalid', message: 'No port is free.', retryable: false },
    }),
  })
  window.panel = way
  panel.take(connection)
  await panel.servers('c').again()
})
afterEach(() => {
  for (const { id } of notices()) dismiss(id)
})

const show = (what: typeof Databases) => render(what, { server: new ServerState('c', 's') })
const sent = (name: string) => way.called.filter((one) => one.name === name).map(({ input }) => input)
const dialog = (name: string) => page.getByRole('dialog', { name })

it('shows what a plugin needs of a database, and its password only when asked', async () => {
  await show(Databases)
  await expect.element(page.getByText('db.example.com:3306')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Copy: User' })).toBeVisible()
  expect(sent('servers.database-password')).toEqual([])
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect.element(page.getByText('pa55')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Copy: Password' })).toBeVisible()
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect.element(page.getByText('pa55')).not.toBeInTheDocument()
  password = null
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect.element(page.getByText('Your host doesn’t show it to you.')).toBeVisible()
})

it('creates databases up to what the host allows, and gives them new passwords', async () => {
  await show(Databases)
  await page.getByRole('button', { name: 'New database' }).click()
  const name = dialog('New database').getByLabelText('Name')
  await name.fill('a!')
  await dialog('New database').getByRole('button', { name: 'Create database' }).click()
  await expect.element(page.getByText(/Use 3 to 48 letters/)).toBeVisible()
  await name.fill('stats')
  await dialog('New database').getByRole('button', { name: 'Create database' }).click()
  await expect.element(page.getByRole('heading', { name: 's7_stats' })).toBeVisible()
  await expect.element(page.getByText('2 of 2')).toBeVisible()
  await expect
    .element(page.getByRole('button', { name: 'New database' }))
    .toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('button', { name: 'New password' }).first().click()
  await dialog('New password for s7_shop?').getByRole('button', { name: 'New password' }).click()
  await expect
    .poll(() => sent('send hosting.renew-password'))
    .toMatchObject([{ params: { databaseId: 'd1' } }])
})

it('deletes a database after saying that nothing keeps it', async () => {
  await show(Databases)
  await page.getByRole('button', { name: 'Delete database' }).click()
  await expect.element(dialog('Delete s7_shop?')).toMatchTextContent(/deleted permanently/)
  await dialog('Delete s7_shop?').getByRole('button', { name: 'Delete database' }).click()
  await expect.element(page.getByText('No databases yet')).toBeVisible()
})

it('says that a host allows no databases, and offers none', async () => {
  databases = []
  most = 0
  await show(Databases)
  await expect.element(page.getByText('Your host allows none for this server.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'New database' })).not.toBeInTheDocument()
})

it('marks the primary port, which is not removed, and makes another one it', async () => {
  await show(Ports)
  const [first, second] = [page.getByRole('listitem').nth(0), page.getByRole('listitem').nth(1)]
  await expect.element(first).toMatchTextContent(/Primary/)
  await expect.element(first.getByRole('button', { name: /Remove/ })).not.toBeInTheDocument()
  await second.getByRole('button', { name: 'Make play.example.com:8100 the primary port' }).click()
  await expect
    .poll(() => sent('send hosting.change-port'))
    .toMatchObject([{ params: { portId: '2' }, body: { isPrimary: true } }])
  await second.getByRole('button', { name: 'Note for play.example.com:8100' }).click()
  const note = dialog('Note for play.example.com:8100')
  await expect.element(note.getByLabelText('Note')).toHaveValue('Web map')
  await note.getByLabelText('Note').fill('Map')
  await note.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => sent('send hosting.change-port').at(-1)).toMatchObject({ body: { note: 'Map' } })
  await second.getByRole('button', { name: 'Remove play.example.com:8100?' }).click()
  await dialog('Remove play.example.com:8100?').getByRole('button', { name: 'Remove port' }).click()
  await expect.poll(() => sent('send hosting.remove-port')).toHaveLength(1)
})

it('shows why a host gives no other port', async () => {
  most = null
  await show(Ports)
  await page.getByRole('button', { name: 'Add port' }).click()
  await expect.element(page.getByRole('alert')).toMatchTextContent(/No port is free\./)
})

it('offers nobody what the host doesn’t let them do', async () => {
  role = ['databases.read', 'ports.read']
  await panel.servers('c').again()
  await show(Ports)
  await expect.element(page.getByText('Web map')).toBeVisible()
  const names = page
    .getByRole('button')
    .elements()
    .map((one) => one.getAttribute('aria-label') ?? one.textContent)
  expect(names.filter((one) => !one.includes('Copy'))).toEqual([])
})
