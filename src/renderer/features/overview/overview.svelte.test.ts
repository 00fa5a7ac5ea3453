import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page, userEvent } from 'vitest/browser'
import type {
  Connection,
  ConsolePiece,
  RuntimeStatus,
  Server,
  View,
} from '../../../contract/bridge/values.ts'
import { askedPlayer, askPlayer } from '../../core/asked-player.svelte.ts'
import type { ActivityEntry } from '../../../contract/areas/activity.ts'
import type { Extension } from '../../../contract/areas/extensions.ts'
import { panel } from '../../core/panel.svelte.ts'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import RailServer from '../../app/RailServer.svelte'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
// It is loaded when it is shown; what it needs is prepared before the first test only where it is named here.
import './graphs/Graphs.svelte'
import './FailedWork.svelte'
import './Glance.svelte'
import '../console/LastLines.svelte'
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

const listed = <T>(items: T[]) => view({ items, leftOut: [], more: false as const })
const done: ActivityEntry[] = [
  { id: '2', at: ago(60_000), actor: { name: 'Ben' }, action: 'players.act.kick', what: 'player', target: 'Eve', result: 'done' }, // prettier-ignore
  { id: '1', at: ago(90_000), actor: { service: true }, action: 'servers.crashed', result: 'failed', reason: 'exit-code-7' }, // prettier-ignore
]
/** So many lines of a console. */
const said = (count: number): ConsolePiece[] => [
  {
    kind: 'lines',
    batch: {
      ...{ epoch: '1', firstSeq: 1, texts: Array.from({ length: count }, (_, at) => `line ${at + 1}`) },
      ...{ times: Array.from({ length: count }, () => 0), sources: {} },
    },
  },
]
const UNAVAILABLE = {
  detail: 'activity.list',
  code: 'unavailable' as const,
  message: 'No.',
  retryable: false,
}

let way: ScriptedBridge
let extensions: Extension[]
let asOf: string
let now: RuntimeStatus

const view = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf, stale: false, problem: null },
})

beforeEach(() => {
  extensions = []
  asOf = ago(0)
  now = { status: 'online', players, since: ago(3 * 3_600_000) }
  const samples = [10_000, 5000, 0].map((old) => ({
    ...{ at: Date.now() - old, cpu: 1.5, memory: 130 * MIB, players: 3 },
  }))
  way = new ScriptedBridge({
    'view servers.read': () => view(server),
    'view servers.list': () => view({ items: [server], leftOut: [], more: false }),
    'view servers.status': () => view(now),
    'servers.samples': () => ({ ok: true, value: { samples, marks: [], problem: null } }),
    'view players.list': () => listed([{ name: 'Steve', online: true }, { name: 'Alex' }]),
    'view activity.list': () => listed(done),
    'view extensions.list': () => listed(extensions),
    'view files.limits': () => view({ freeBytes: 3 * 1024 * MIB, usedBytes: 1024 * MIB }),
    'console.watch': () => ({
      ok: true,
      value: { watch: 1, state: 'live', history: { read: true, problem: null }, pieces: said(9) },
    }),
    'console.commands': () => ({ ok: true, value: [] }),
    'console.command': () => ({ ok: true, value: { lineId: null } }),
    'console.live': () => ({ ok: true, value: { state: 'live', asked: null } }),
  })
  window.panel = way
  panel.take(connection)
})

const graph = (name: string) => page.getByRole('img', { name: new RegExp(`^${name}`) })
const heads = () => [...document.querySelectorAll('figcaption')].map((one) => one.textContent.trim())
const facts = () => document.querySelector('dl')?.textContent ?? ''
const lines = () => import('../console/LastLines.svelte')
const crash = () => import('../crash/CrashCard.svelte')
const open = () => render(Overview, { server: new ServerState('c', 's'), lines, crash })
const tell = (status: RuntimeStatus) =>
  way.send('view', {
    ...{ view: 'servers.status', connectionId: 'c', params: { serverId: 's' }, query: {} },
    now: { value: status, asOf: ago(0), stale: false, problem: null },
  })

describe('the overview', () => {
  it('says how many extensions have an update that is known, and leads to them; no catalog is asked', async () => {
    const update = { versionId: 'v2', version: '2' }
    extensions = [
      { id: 'a', name: 'A', update },
      { id: 'b', name: 'B', update },
      { id: 'c', name: 'C', update, pinned: true },
      { id: 'd', name: 'D', update, enabled: false },
      { id: 'e', name: 'E' },
    ]
    way.answer('view servers.read', () => view({ ...server, software: { id: 'paper' } }))
    await open()
    await expect.element(page.getByRole('link', { name: '2 updates' })).toBeVisible()
    expect(way.called.map(({ name }) => name)).not.toContain('view extensions.updates')
  })

  it('says what an installation does now', async () => {
    now = {
      status: 'installing',
      since: ago(3 * 3_600_000),
      installation: { step: 'java', done: 1, total: 2 },
    }
    await open()
    await expect.poll(facts).toContain('Downloading Java')
    tell({ ...now, installation: { step: 'setup' } })
    await expect.poll(facts).toContain('Setting it up')
  })

  it('says why the last installation failed while the server is down, and no more once something begins', async () => {
    now = { status: 'offline', failure: { work: 'install', error: { message: 'Nobody answers.' } } }
    await open()
    const card = page.getByRole('region', { name: 'The installation failed' })
    await expect.element(card).toMatchTextContent(/Nobody answers/)
    tell({ ...now, status: 'installing' })
    await expect.element(card).not.toBeInTheDocument()
  })

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

describe('the overview below its graphs', () => {
  const part = (name: string) => page.getByRole('region', { name, exact: true })
  const parts = () =>
    [...document.querySelectorAll('section[aria-label]')].map((one) => one.getAttribute('aria-label'))

  it('shows who is on, the last six lines, what was done, and the room that is left', async () => {
    await open()
    await expect.element(part('Online').getByRole('button', { name: 'Steve' })).toBeVisible()
    expect(part('Online').element().textContent).not.toContain('Alex')
    await expect.element(part('Console')).toMatchTextContent(/line 4\s*line 5\s*line 6.*line 9/)
    expect(part('Console').element().textContent).not.toContain('line 3')
    await expect
      .element(part('Activity'))
      .toMatchTextContent(/Ben kicked Eve.*The server crashed.*Exit code 7/)
    await expect.element(part('Disk')).toMatchTextContent(/3 GB free.*1 GB used/)
    await part('Activity').getByRole('button', { name: /Eve/ }).click()
    expect(askedPlayer()).toMatchObject({ name: 'Eve' })
    askPlayer(null)
  })

  describe('says that there is nothing only where that is known', () => {
    const none = { read: true, problem: null }
    const list =
      (items: object[], beside: object = {}) =>
      () =>
        view({ items, leftOut: [], more: false as const, ...beside })
    const history = (state: object) => () => ({
      ok: true as const,
      value: { watch: 1, state: 'live' as const, history: { ...none, ...state }, pieces: [] },
    })
    const left = [{ index: 0, path: 'items.0' }]
    it.each([
      ['Online', 'view players.list', list([{ name: 'Alex', online: false }]), /Nobody is online/],
      ['Online', 'view players.list', list([]), /Nobody is online/],
      ['Online', 'view players.list', list([{ name: 'Alex' }]), /doesn’t say whether anybody is online/],
      ['Online', 'view players.list', list([], { leftOut: left }), /doesn’t say whether anybody is online/],
      ['Online', 'view players.list', list([], { more: 'perhaps' }), /doesn’t say whether anybody is online/],
      ['Activity', 'view activity.list', list([]), /No activity yet/],
      ['Activity', 'view activity.list', list([], { leftOut: left }), /can’t be shown/],
      ['Activity', 'view activity.list', list([], { more: 'perhaps' }), /can’t be shown/],
      ['Console', 'console.watch', history({}), /No lines yet/],
      ['Console', 'console.watch', history({ leftOut: 2 }), /can’t be shown/],
      ['Console', 'console.watch', history({ read: false }), /Older lines have not been read/],
      [
        'Console',
        'console.watch',
        history({ read: false, problem: UNAVAILABLE }),
        /Older lines have not been read/,
      ],
    ] as const)('%s: %#', async (name, asked, answer, words) => {
      // Nothing else counts its players.
      now = { status: 'online' }
      const uncounted = { id: 's', name: 'Meadow', status: 'online' as const }
      way.answer('view servers.read', () => view(uncounted))
      way.answer('view servers.list', () => view({ items: [uncounted], leftOut: [], more: false }))
      way.answer(asked, answer as never)
      await open()
      await expect.element(part(name)).toMatchTextContent(words)
      if (!/^.?(Nobody|No )/.test(String(words).slice(1)))
        expect(part(name).element().textContent).not.toMatch(/Nobody is online|No activity yet|No lines yet/)
    })
  })

  const measured = () => way.called.filter(({ name }) => name === 'view files.limits').length

  it('measures the disk again when a server goes on or off, and while it runs', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    let used = 0
    way.answer('view files.limits', () => view({ usedBytes: used }))
    now = { status: 'offline' }
    await open()
    await expect.element(part('Disk')).toMatchTextContent(/0 bytes used/)
    used = 5 * MIB
    tell({ status: 'online' })
    await expect.element(part('Disk')).toMatchTextContent(/5 MB used/)
    used = 7 * MIB
    const before = measured()
    vi.advanceTimersByTime(59_000)
    expect(measured()).toBe(before)
    vi.advanceTimersByTime(1000)
    expect(measured()).toBe(before + 1)
    await expect.element(part('Disk')).toMatchTextContent(/7 MB used/)
  })

  it('does not measure the disk at every word of a server that stays as it is', async () => {
    await open()
    await expect.element(part('Disk')).toMatchTextContent(/1 GB used/)
    const before = measured()
    expect(before).toBeGreaterThan(0)
    for (const online of [4, 5, 6]) {
      tell({ status: 'online', players: { online, max: 20 } })
      await expect.poll(facts).toMatch(new RegExp(`${online} of 20`))
    }
    expect(measured()).toBe(before)
  })

  it('sends a command, and shows what is said next', async () => {
    await open()
    await part('Console').getByLabelText('Command').fill('say hi')
    await userEvent.keyboard('{Enter}')
    await expect
      .poll(() => way.called.find(({ name }) => name === 'console.command')?.input)
      .toMatchObject({ serverId: 's', command: 'say hi' })
    const [piece] = said(1)
    if (piece?.kind === 'lines') piece.batch = { ...piece.batch, firstSeq: 10, texts: ['[Server] hi'] }
    way.send('console', { connectionId: 'c', serverId: 's', watch: 1, pieces: [piece!] })
    await expect.element(part('Console')).toMatchTextContent(/line 9.*\[Server\] hi/)
  })

  it('shows each part only to who may see it', async () => {
    way.answer('view servers.read', () => view({ ...server, role: ['server.read', 'console.read'] }))
    await open()
    await expect.element(part('Console')).toBeVisible()
    await expect.element(part('Console')).toMatchTextContent(/line 9/)
    expect(parts().filter((name) => ['Online', 'Activity', 'Disk'].includes(name ?? ''))).toEqual([])
    expect(part('Console').getByLabelText('Command').query()).toBeNull()
  })

  it('moves nothing when its parts come, fail or change', async () => {
    let shift = 0
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shift += (entry as unknown as { value: number }).value
    })
    observer.observe({ type: 'layout-shift', buffered: false })
    const fails = { value: null, asOf: null, stale: true, problem: UNAVAILABLE }
    way.answer('view activity.list', () => ({ ok: true, value: fails }))
    await open()
    await expect.element(part('Activity')).toMatchTextContent(/does not offer the activity log/)
    await expect.element(part('Console')).toMatchTextContent(/line 9/)
    const tops = () =>
      ['Online', 'Console', 'Activity', 'Disk'].map(
        (name) => part(name).element().getBoundingClientRect().top,
      )
    const before = tops()
    tell({ status: 'offline', since: ago(0) })
    await expect.element(part('Online')).toMatchTextContent(/The server is offline/)
    way.answer('view activity.list', () => listed(done))
    await part('Activity').getByRole('button', { name: 'Try again' }).click()
    await expect.element(part('Activity')).toMatchTextContent(/Ben kicked/)
    expect(tops()).toEqual(before)
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    observer.disconnect()
    expect(shift).toBe(0)
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
