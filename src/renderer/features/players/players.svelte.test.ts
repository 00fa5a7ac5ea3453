import type { ComponentProps } from 'svelte'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../app/theme.css'
import type {
  Connection,
  Player,
  PlayerResult,
  PlayerStats,
  Server,
  View,
} from '../../../contract/bridge/values.ts'
import { Problem } from '../../core/bridge.ts'
import { LiveView } from '../../core/live-view.svelte.ts'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { dismiss, notices } from '../../ui/feedback/notices.svelte.ts'
import { players as feature } from './index.ts'
import Players from './Players.svelte'
import './sheet/PlayerSheet.svelte'

const STEVE = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
const HOUR = 3_600_000

const room = document.createElement('style')
room.textContent = 'body > div { height: 600px }'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}

let way: ScriptedBridge
let players: Player[]
let stats: PlayerStats[]
let status: string
let server: Pick<Server, 'role' | 'software'>
let results: PlayerResult[]
let whitelist: boolean | null

const shown = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: ago(0), stale: false, problem: null },
})
const lacking = (operation: string) => ({
  ok: true as const,
  value: {
    ...{ value: null, asOf: null, stale: false },
    problem: { code: 'unavailable' as const, message: 'No.', retryable: false, detail: operation },
  },
})
const items = <T>(list: T[]) => shown({ items: list, leftOut: [], more: false as const })

beforeEach(() => {
  players = [
    { name: 'Steve', uuid: STEVE, online: true, op: true, whitelisted: false, banned: null },
    { name: 'alex', uuid: 'u-alex', online: false, lastSeen: ago(2 * HOUR), op: false, banned: null },
    { name: 'Eve', uuid: 'u-eve', online: false, banned: { reason: 'holes', until: null } },
    { name: 'u-none', uuid: 'u-none', online: false, whitelisted: true },
  ]
  stats = [
    { name: 'Steve', uuid: STEVE, playTimeSeconds: 3600, deaths: 2, distanceMetres: 1500 },
    { name: 'alex', uuid: 'u-alex', playTimeSeconds: 7200, deaths: 5 },
  ]
  status = 'online'
  server = { role: 'owner', software: { id: 'paper' } }
  results = []
  whitelist = false
  way = new ScriptedBridge({
    'view servers.read': () => shown({ id: 's', name: 'Meadow', ...server }),
    'view servers.list': () => items([{ id: 's', name: 'Meadow' }]),
    'view servers.status': () => shown({ status: status as 'online' }),
    'view players.list': () => items(players),
    'view players.stats': ({ query }) =>
      items(
        query?.uuid ? [{ ...stats[0]!, groups: { 'minecraft:mined': { 'minecraft:stone': 90 } } }] : stats,
      ),
    'view players.sessions': () => items([{ name: 'Steve', joinedAt: ago(50 * HOUR), leftAt: ago(HOUR) }]),
    'send players.act': ({ body }) => ({
      ok: true,
      value: {
        results:
          results.length > 0 ? results : body.names.map((name) => ({ name, outcome: 'done' as const })),
      },
    }),
    'view players.whitelist': () => shown({ enabled: whitelist }),
    'send players.turn-whitelist': ({ body }) => {
      whitelist = body.enabled
      way.send('view', {
        ...{ view: 'players.whitelist', connectionId: 'c', params: { serverId: 's' }, query: {} },
        now: { value: { enabled: whitelist }, asOf: ago(0), stale: false, problem: null },
      })
      return { ok: true, value: { enabled: whitelist } }
    },
    'console.command': () => ({ ok: true, value: { lineId: null } }),
  })
  window.panel = way
  panel.take(connection)
  document.head.append(room)
})
afterEach(() => {
  room.remove()
  for (const notice of notices()) dismiss(notice.id)
})

const names = () =>
  [...document.querySelectorAll('[data-row] [role=gridcell]:first-child')].map((cell) =>
    cell.textContent.trim(),
  )
const part = (name: RegExp) => page.getByRole('tab', { name })
const row = (name: RegExp) => page.getByRole('row', { name })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const sent = () => way.called.filter(({ name }) => name === 'send players.act').map(({ input }) => input)

const viewOf = ({ connectionId, serverId }: ServerState) =>
  new LiveView('players.list', { connectionId, params: { serverId } })

async function open(): Promise<void> {
  const server = new ServerState('c', 's')
  await render(Players, { server, view: viewOf(server) })
  await expect.element(part(/^Known/)).toBeVisible()
}

async function inMenu(name: string): Promise<void> {
  await page.getByRole('toolbar').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name }).click()
}

async function openKnown(): Promise<void> {
  await open()
  await part(/^Known/).click()
  await expect.poll(names).toHaveLength(4)
}

describe('the players of a server', () => {
  it('are shown by lists, each with what it tells, and sorted by a click', async () => {
    await openKnown()
    expect(names()).toEqual(['alex', 'Eve', 'Steve', expect.stringMatching(/^Name not known\s*u-none$/)])
    await page.getByRole('button', { name: 'Play time' }).click()
    await expect.poll(names).toEqual(['alex', 'Steve', expect.any(String), expect.any(String)])
    await part(/^Online \(1\)/).click()
    await expect.poll(names).toEqual(['Steve'])
    await part(/^Bans \(1\)/).click()
    await expect.element(row(/Eve/)).toMatchTextContent(/holes.*Permanent/)
    await part(/^Operators/).click()
    await expect.poll(names).toEqual(['Steve'])
  })

  it('are who is on and who was, and no more, where the server is a proxy', async () => {
    server.software = { id: 'velocity', proxy: true }
    await openKnown()
    await expect.poll(() => document.querySelectorAll('[role=tab]').length).toBe(2)
    await row(/Steve/).click()
    expect(page.getByRole('toolbar').getByRole('button').elements()).toEqual([])
  })

  it('have the head of their skin where the service sends it, and a mark of their own where not', async () => {
    const pixel =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    // What would be asked of somebody else, or could be more than a picture, is not drawn.
    const others = ['https://a.example/head.png', 'data:image/svg+xml;base64,PHN2Zz4=', `${pixel}" onload="x`]
    players = ['Skin', 'Web', 'Svg', 'Odd', 'None'].map((name, at) => ({
      ...{ name, uuid: `u-${name}`, online: false },
      head: [pixel, ...others, null][at] ?? null,
    }))
    await open()
    await part(/^Known/).click()
    await expect.poll(names).toHaveLength(5)
    const heads = Object.fromEntries(
      [...document.querySelectorAll('[data-row]')].map((one) => [
        one.querySelector('bdi')?.textContent,
        one.querySelector('img')?.getAttribute('src') ?? one.querySelector('svg path')?.getAttribute('d'),
      ]),
    )
    expect(heads['Skin']).toBe(pixel)
    const drawn = ['Web', 'Svg', 'Odd', 'None'].map((name) => heads[name])
    expect(drawn).toEqual(drawn.map(() => expect.stringMatching(/^(M\d \dh1v1h-1z)+$/)))
    expect(new Set(drawn).size).toBe(4)
  })

  it('are found while one types, by name or by uuid', async () => {
    await openKnown()
    const field = page.getByRole('searchbox', { name: 'Search players' })
    await field.fill('ALE')
    await expect.poll(names).toEqual(['alex'])
    await field.fill(STEVE.slice(0, 9))
    await expect.poll(names).toEqual(['Steve'])
    await field.fill('nobody')
    await expect.element(page.getByText('No player matches “nobody”')).toBeVisible()
  })

  it('several are acted on at once, and each that was not done is told with its reason', async () => {
    await openKnown()
    await row(/alex/).click()
    await userEvent.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}')
    await expect.element(page.getByRole('status', { name: 'Players shown' })).toHaveTextContent('3 selected')
    results = [
      { name: 'alex', outcome: 'done' },
      { name: 'eve', outcome: 'failed', error: { code: 'x', message: 'She is not known.' } },
    ]
    await inMenu('Add to whitelist')
    const dialog = page.getByRole('dialog')
    await expect
      .element(dialog)
      .toMatchTextContent(/Eve\s*Failed · She is not known\.\s*Steve\s*Sent to the server/)
    await expect.element(dialog).toMatchTextContent(/Done for 1 other player\./)
    expect(sent()).toMatchObject([{ body: { action: 'whitelist-add', names: ['alex', 'Eve', 'Steve'] } }])
  })

  it('a ban asks for its reason and its end first', async () => {
    await openKnown()
    await row(/alex/).click()
    await button('Ban…').click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('dug holes')
    await page.getByRole('combobox', { name: 'Banned for' }).selectOptions('1 day')
    await button('Ban').click()
    await expect.poll(sent).toHaveLength(1)
    const { body } = sent()[0] as { body: { until: string; reason: string } }
    expect(body).toMatchObject({ action: 'ban', names: ['alex'], reason: 'dug holes' })
    expect(Date.parse(body.until) - Date.now()).toBeGreaterThan(23 * HOUR)
    await expect.poll(() => notices().map(({ text }) => text())).toEqual(['alex is banned'])
  })

  it('while the server is stopped nobody is kicked, and a change says from when on it holds', async () => {
    status = 'offline'
    await openKnown()
    await row(/Eve/).click()
    await button('Lift ban').click()
    expect(button('Kick…').elements()).toEqual([])
    await expect
      .poll(() => notices().map(({ more }) => more?.()))
      .toEqual(['The server is not running: this takes effect when it starts.'])
  })

  it('the whitelist says whether it holds, and is turned by its button', async () => {
    await openKnown()
    await part(/^Whitelist/).click()
    await expect.element(page.getByText('The whitelist is off: everybody can join.')).toBeVisible()
    await button('Turn on').click()
    await expect
      .element(page.getByRole('status').filter({ hasText: 'Only the players on this list can join.' }))
      .toBeVisible()
    expect(way.called.filter(({ name }) => name === 'send players.turn-whitelist')).toMatchObject([
      { input: { body: { enabled: true } } },
    ])
    await expect.poll(() => notices().map(({ text }) => text())).toEqual(['The whitelist is on'])
    await expect.element(button('Turn off')).toBeVisible()
  })

  it('of a whitelist it is said where the service does not know, or does not offer it', async () => {
    whitelist = null
    await openKnown()
    await part(/^Whitelist/).click()
    await expect.element(page.getByText('It is not known whether the whitelist is on.')).toBeVisible()
    way.answer('view players.whitelist', () => lacking('players.whitelist'))
    await part(/^Known/).click()
    await part(/^Whitelist/).click()
    await expect
      .element(page.getByText('This service does not offer turning the whitelist on and off'))
      .toBeVisible()
    expect(page.getByRole('button', { name: /^Turn/ }).elements()).toEqual([])
  })

  it('the list is asked for while what shows it is still loaded, and then not a second time', async () => {
    let answer = () => {}
    const waiting = new Promise<void>((resolve) => (answer = resolve))
    way.answer('view players.list', async () => {
      await waiting
      return items(players)
    })
    const { load, props } = feature.part(new ServerState('c', 's'))
    const asked = () => way.called.filter(({ name }) => name === 'view players.list').length
    const loading = load()
    expect(asked()).toBe(1)
    const { default: Part } = await loading
    await render(Part, props as ComponentProps<typeof Players>)
    answer()
    await expect.poll(names).toHaveLength(4)
    expect(asked()).toBe(1)
  })

  it('a service that does nothing with players itself is told by its console, which confirms nothing', async () => {
    const problem = new Problem({ code: 'unavailable', message: 'No.', retryable: false })
    way.answer('send players.act', () => ({ ok: false, problem }))
    await openKnown()
    await row(/Steve/).click()
    await inMenu('Remove as operator')
    await expect.element(page.getByRole('dialog')).toMatchTextContent(/Steve\s*Sent to the server/)
    expect(way.called.filter(({ name }) => name === 'console.command')).toMatchObject([
      { input: { command: 'deop Steve' } },
    ])
  })

  it('no command is sent with what is no name, such as a selector of everybody', async () => {
    const problem = new Problem({ code: 'unavailable', message: 'No.', retryable: false })
    way.answer('send players.act', () => ({ ok: false, problem }))
    players = [{ name: '@a', uuid: 'u-all', op: false }]
    await open()
    await part(/^Known/).click()
    await row(/@a/).click()
    await inMenu('Make operator')
    await expect
      .element(page.getByRole('dialog'))
      .toMatchTextContent(/@a\s*Failed · Console commands can’t use this name/)
    expect(way.called.filter(({ name }) => name === 'console.command')).toEqual([])
  })

  it('a service with statistics alone shows those of whom it has some, and says what is not known', async () => {
    way.answer('view players.list', () => lacking('players.list'))
    await open()
    await expect.poll(names).toEqual(['alex', 'Steve'])
    await expect.element(page.getByText(/gives statistics but no list/)).toBeVisible()
    expect(page.getByRole('tab', { name: /^Bans/ }).elements()).toEqual([])
  })

  it('a service with neither says that it does not offer players', async () => {
    way.answer('view players.list', () => lacking('players.list'))
    way.answer('view players.stats', () => lacking('players.stats'))
    const state = new ServerState('c', 's')
    await render(Players, { server: state, view: viewOf(state) })
    await expect.element(page.getByText('This service does not offer players')).toBeVisible()
  })

  it('two of one id do not keep the others from being shown', async () => {
    players = [...players, { name: 'Steve', uuid: STEVE }, { name: 'Bob' }, { name: 'Bob' }]
    await open()
    await part(/^Known/).click()
    await expect.poll(names).toHaveLength(5)
  })

  it('a sheet tells the statistics of one in words, with the place among the others, and the visits', async () => {
    await openKnown()
    await row(/Steve/).click()
    await userEvent.keyboard('{Enter}')
    const sheet = page.getByRole('dialog', { name: 'Steve' })
    await expect.element(sheet).toMatchTextContent(/Play time\s*1 hr\s*#2 of 2/)
    await expect.element(sheet).toMatchTextContent(/Distance traveled\s*1\.5 km/)
    await expect.element(sheet).toMatchTextContent(/Most mined\s*stone\s*90/)
    await expect.element(sheet.getByRole('img', { name: 'Visits in the last 30 days' }).first()).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(sheet).not.toBeInTheDocument()
  })
})
