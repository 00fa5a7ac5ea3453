import { beforeEach, describe, expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page } from 'vitest/browser'
import type { Connection, RuntimeStatus, Server, View } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import '../../app/theme.css'
import { ScriptedWay } from '../../core/scripted-way.fixture.ts'
import RailServer from '../../app/RailServer.svelte'
import { ServerState } from '../../core/server-state.svelte.ts'
// It is loaded when it is shown; what it needs is prepared before the first test only where it is named here.
import './graphs/Graphs.svelte'
import Overview from './Overview.svelte'

const MIB = 1024 * 1024
const players = { online: 3, max: 20 }
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
const server: Server = { id: 's', name: 'Meadow', status: 'online', players, memoryMb: 2048 }
const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const away: Connection = {
  ...connection,
  state: {
    kind: 'offline',
    problem: { code: 'offline', message: 'No.', retryable: true },
    since: ago(60_000),
  },
}

let way: ScriptedWay
let asOf: string
let now: RuntimeStatus

const view = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf, stale: false, problem: null },
})

beforeEach(() => {
  asOf = ago(0)
  now = { status: 'online', players, since: ago(3 * 3_600_000) }
  const samples = [10_000, 5000, 0].map((old) => ({
    ...{ at: Date.now() - old, cpu: 1.5, memory: 130 * MIB, players: 3 },
  }))
  way = new ScriptedWay({
    'view servers.read': () => view(server),
    'view servers.list': () => view({ items: [server], leftOut: [], more: false }),
    'view servers.status': () => view(now),
    'servers.samples': () => ({ ok: true, value: { samples, marks: [], problem: null } }),
    'console.live': () => ({ ok: true, value: { state: 'live', asked: null } }),
  })
  window.panel = way
  panel.take(connection)
})

const graph = (name: string) => page.getByRole('img', { name: new RegExp(`^${name}`) })
const heads = () => [...document.querySelectorAll('figcaption')].map((one) => one.textContent.trim())
const facts = () => document.querySelector('dl')?.textContent ?? ''
const open = () => render(Overview, { server: new ServerState('c', 's') })
const tell = (status: RuntimeStatus) =>
  way.send('view', {
    ...{ view: 'servers.status', connectionId: 'c', params: { serverId: 's' }, query: {} },
    now: { value: status, asOf: ago(0), stale: false, problem: null },
  })

describe('the overview', () => {
  it('shows what a server uses now while it is online, and nothing of it once it is stopped', async () => {
    await open()
    await expect.element(graph('CPU')).toHaveAccessibleName('CPU: now 1.5%, peak 1.5% in the last hour')
    expect(heads()[1]).toMatch(/130 MB/)
    tell({ status: 'stopping' })
    await expect.element(graph('CPU')).toHaveAccessibleName(/no current value, peak 1\.5%/)
    tell({ status: 'offline', since: ago(0) })
    await expect.element(graph('Memory')).toHaveAccessibleName(/no current value, peak 130 MB/)
    for (const head of heads()) expect(head).toMatch(/–$/)
    expect(facts()).not.toMatch(/3 of 20/)
  })

  it('says how old it is what it shows of a server whose service is away, and counts nothing on', async () => {
    asOf = ago(5 * 60_000)
    await open()
    await expect.poll(facts).toMatch(/for 3 hr/)
    expect(facts()).not.toMatch(/as of/)
    panel.take(away)
    await expect.poll(facts).toMatch(/Status\s*Online\s*as of 5 minutes ago/)
    expect(facts()).toMatch(/3 of 20\s*as of 5 minutes ago/)
    expect(facts()).not.toMatch(/for 3 hr/)
    for (const head of heads()) expect(head).toMatch(/–$/)
    panel.take(connection)
    await expect.poll(facts).toMatch(/for 3 hr/)
    await expect.element(graph('CPU')).toHaveAccessibleName(/now 1\.5%/)
  })
})

describe('a server in the rail', () => {
  const shown = { connectionId: 'c', server, inGroup: false }

  it('shows its players only while they are of now', async () => {
    const rail = await render(RailServer, { ...shown, oldAsOf: null, position: 1, count: 1 })
    await expect.element(page.getByRole('link')).toMatchTextContent(/3\/20/)
    await rail.rerender({ oldAsOf: ago(5 * 60_000) })
    await expect.element(page.getByRole('link')).not.toMatchTextContent(/3/)
    await expect.element(page.getByRole('link')).toMatchTextContent(/Online/)
  })
})
