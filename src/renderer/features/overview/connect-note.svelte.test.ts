import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { ServerAddress } from '../../../contract/areas/open-to.ts'
import type { Connection, Server, View } from '../../../contract/bridge/values.ts'
import '../../app/theme.css'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import ConnectNote from './ConnectNote.svelte'
import './HowToConnect.svelte'

const local: Connection = {
  ...{ id: 'local', kind: 'local', name: 'This computer', baseUrl: 'http://127.0.0.1:1/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'memory', expiresAt: null },
}
const server: Server = { id: 's', name: 'Meadow', status: 'online', role: 'owner' }
const port = 25565
const here: ServerAddress = { kind: 'computer', host: '127.0.0.1', port, answers: true }

let way: ScriptedBridge
const view = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})

function show(items: ServerAddress[], connection: Connection = local, one: Server = server) {
  panel.take(connection)
  way.answer('view servers.read', () => view(one))
  way.answer('view servers.list', () => view({ items: [one], leftOut: [], more: false }))
  way.answer('view servers.addresses', () => view({ items }))
  return render(ConnectNote, { server: new ServerState(connection.id, 's') })
}
const states = () =>
  page
    .getByRole('listitem')
    .elements()
    .map((element) => element.textContent.replace(/\s+/g, ' ').trim())

beforeEach(() => {
  way = new ScriptedBridge({ 'view servers.status': () => view({ status: 'online' }) })
  window.panel = way
})

it('says that nobody else can connect, why, and where that is changed', async () => {
  await show([here])
  await page.getByRole('button', { name: 'Only this computer' }).click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
  expect(states()).toEqual(['This computer 127.0.0.1:25565 Works.'])
  await expect.element(page.getByText(/^Only programs on this computer can connect\./)).toBeVisible()
  const change = page.getByRole('link', { name: 'Change who can connect' })
  expect(change.element().getAttribute('href')).toContain('settings')
})

it('tells of each way whether somebody joined by it, whether it answers, and what the router needs', async () => {
  const joinedAt = new Date(Date.now() - 5 * 60_000).toISOString()
  await show([
    here,
    { kind: 'network', host: '192.168.1.20', port, answers: true },
    { kind: 'network', host: '10.0.0.4', port, answers: false },
    { kind: 'internet', host: null, port, joinedAt },
  ])
  await page.getByRole('button', { name: 'How to connect' }).click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
  expect(states()).toEqual([
    'This computer 127.0.0.1:25565 Works.',
    'Your network 192.168.1.20:25565 Open. Nobody has joined this way yet.',
    'Your network 10.0.0.4:25565 The server doesn’t answer at this address.',
    expect.stringMatching(
      /^The internet Forward TCP port 25565 in your router to 192\.168\.1\.20\..* Works: somebody joined this way 5 min/,
    ),
  ])
})

it('of a server that is off it says that nobody can know, and of an unknown kind of way nothing false', async () => {
  way.answer('view servers.status', () => view({ status: 'offline' }))
  const items = [
    { kind: 'network', host: 'play.example.org', port, answers: null },
    { kind: { kind: 'unknown', raw: 'tunnel' }, host: 'x.example', port: null },
  ] as ServerAddress[]
  await show(items, { ...local, id: 'far', kind: 'service' }, { ...server, status: 'offline' })
  await page.getByRole('button', { name: 'How to connect' }).click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
  expect(states()).toEqual([
    'The server’s network play.example.org:25565 Start the server to see whether it works.',
    'tunnel x.example Start the server to see whether it works.',
  ])
})

it('shows nothing where the service tells no ways', async () => {
  await show([])
  await expect.poll(() => way.called.map(({ name }) => name)).toContain('view servers.addresses')
  expect(page.getByRole('button').elements()).toEqual([])
})
