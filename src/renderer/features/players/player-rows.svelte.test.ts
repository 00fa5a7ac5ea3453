import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../app/theme.css'
import type { Connection, Player, PlayerSession, PlayerStats, View } from '../../../contract/bridge/values.ts'
import { LiveView } from '../../core/live-view.svelte.ts'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { dismiss, notices } from '../../ui/feedback/notices.svelte.ts'
import Players from './Players.svelte'

const HOUR = 3_600_000
const MINUTE = 60_000
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

const room = document.createElement('style')
room.textContent = 'body > div { height: 600px }'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const players: Player[] = [
  { name: 'Steve', uuid: 'u-steve', online: true, op: true, whitelisted: false, banned: null },
  { name: 'alex', uuid: 'u-alex', online: false, op: false, banned: null },
]
const stats: PlayerStats[] = [{ name: 'Steve', uuid: 'u-steve', playTimeSeconds: 3600 }]
const on = (name: string, from: number, to: number | null): PlayerSession => ({
  ...{ name, uuid: `u-${name.toLowerCase()}` },
  ...{ joinedAt: ago(from), leftAt: to === null ? null : ago(to) },
})
let way: ScriptedBridge
let sessions: PlayerSession[]
let more: false | 'perhaps'
let whitelist: boolean

const shown = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: ago(0), stale: false, problem: null },
})
const items = <T>(list: T[]) => shown({ items: list, leftOut: [], more: false as const })

beforeEach(() => {
  sessions = [
    on('Steve', 12 * MINUTE + 5000, null),
    on('alex', 30 * HOUR, 28 * HOUR),
    on('alex', 3 * HOUR, 2 * HOUR),
  ]
  more = false
  whitelist = false
  way = new ScriptedBridge({
    'view servers.read': () =>
      shown({ id: 's', name: 'Meadow', role: 'owner' as const, software: { id: 'paper' } }),
    'view servers.list': () => items([{ id: 's', name: 'Meadow' }]),
    'view servers.status': () => shown({ status: 'online' as const }),
    'view players.list': () => items(players),
    'view players.stats': () => items(stats),
    'view players.sessions': () => shown({ items: sessions, leftOut: [], more }),
    'view players.whitelist': () => shown({ enabled: whitelist }),
    'send players.act': ({ body }) => ({
      ok: true,
      value: { results: body.names.map((name) => ({ name, outcome: 'done' as const })) },
    }),
    'send players.turn-whitelist': ({ body }) => {
      whitelist = body.enabled
      return { ok: true, value: { enabled: whitelist } }
    },
  })
  window.panel = way
  panel.take(connection)
  document.head.append(room)
})
afterEach(() => {
  room.remove()
  for (const notice of notices()) dismiss(notice.id)
})

const part = (name: RegExp) => page.getByRole('tab', { name })
const row = (name: RegExp) => page.getByRole('row', { name })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const sent = () => way.called.filter(({ name }) => name === 'send players.act').map(({ input }) => input)

async function open(): Promise<void> {
  const server = new ServerState('c', 's')
  const at = { connectionId: 'c', params: { serverId: 's' } }
  await render(Players, { server, view: new LiveView('players.list', at) })
  await part(/^Known/).click()
}

it('says for how long somebody is on, and how long they were where the game counted nothing', async () => {
  await open()
  await expect.element(row(/^Steve/)).toMatchTextContent(/1 hr\s*Online\s+for 12 min/)
  await expect.element(row(/^alex/)).toMatchTextContent(/alex\s*3 hr/)
})

it('keeps the status near the name in a wide window', async () => {
  await page.viewport(1600, 900)
  onTestFinished(() => page.viewport(1280, 800))
  await open()
  await expect.element(row(/^Steve/)).toMatchTextContent(/Online/)
  const cells = [
    ...row(/^Steve/)
      .element()
      .querySelectorAll('[role=gridcell]'),
  ]
  const [name, , status] = cells.map((cell) => cell.getBoundingClientRect().left)
  expect(status! - name!).toBeLessThan(450)
})

it('makes no total of some of the sessions', async () => {
  more = 'perhaps'
  await open()
  await expect.element(row(/^Steve/)).toMatchTextContent(/1 hr/)
  await expect.element(row(/^alex/)).toMatchTextContent(/alex\s*–/)
})

it('a player is messaged from their row, by keyboard too', async () => {
  await open()
  await row(/^Steve/).hover()
  await button('Message…: Steve').click()
  await page.getByRole('textbox', { name: 'Message' }).fill('hi')
  await button('Send').click()
  await expect.poll(sent).toMatchObject([{ body: { action: 'message', names: ['Steve'], reason: 'hi' } }])
  ;(page.getByRole('grid').element() as HTMLElement).focus()
  for (const name of ['Name', 'Play time', 'Last seen', 'Message…: Steve', 'Kick…: Steve']) {
    await userEvent.tab()
    await expect.element(button(name)).toHaveFocus()
  }
})

it('who is not on can be neither told anything nor kicked, and has a menu', async () => {
  await open()
  await row(/^alex/).hover()
  await button('More for alex').click()
  await expect.element(page.getByRole('menuitem', { name: 'Ban…' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Kick…: alex' }).elements()).toEqual([])
})

it('who lacks the permission is offered nothing', async () => {
  way.answer('view servers.read', () => shown({ id: 's', name: 'Survival', role: ['players.read'] }))
  await open()
  await row(/^alex/).click()
  await expect.element(page.getByRole('status', { name: 'Players shown' })).toHaveTextContent('1 selected')
  expect(page.getByRole('toolbar').getByRole('button').elements()).toEqual([])
  await part(/^Whitelist/).click()
  await expect.element(page.getByText('The whitelist is off: everybody can join.')).toBeVisible()
  expect(button('Turn on').elements()).toEqual([])
  expect(button('Add to whitelist').elements()).toEqual([])
})

it('who was made an operator is none again by Undo', async () => {
  await open()
  await row(/^alex/).click()
  await page.getByRole('toolbar').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Make operator' }).click()
  await expect.poll(() => notices()[0]?.text()).toBe('alex is an operator')
  expect(notices()[0]?.action?.label()).toBe('Undo')
  void notices()[0]?.action?.run()
  await expect
    .poll(sent)
    .toMatchObject([
      { body: { action: 'op', names: ['alex'] } },
      { body: { action: 'deop', names: ['alex'] } },
    ])
})

it('a lifted ban is back by Undo, with its reason and its end', async () => {
  const until = new Date(Date.now() + HOUR).toISOString()
  const eve: Player = { name: 'Eve', online: false, op: false, banned: { reason: 'holes', until } }
  way.answer('view players.list', () => items([...players, eve]))
  await open()
  await part(/^Bans/).click()
  await row(/^Eve/).click()
  expect(page.getByRole('toolbar').element().textContent).toContain('Lift ban')
  await row(/^Eve/).hover()
  await button('Lift ban: Eve').click()
  await expect.poll(() => notices()[0]?.text()).toBe('The ban of Eve is lifted')
  void notices()[0]?.action?.run()
  await expect
    .poll(sent)
    .toMatchObject([
      { body: { action: 'pardon', names: ['Eve'] } },
      { body: { action: 'ban', names: ['Eve'], reason: 'holes', until } },
    ])
})

it('who is added to a whitelist that is off can have it turned on', async () => {
  await open()
  await part(/^Whitelist/).click()
  await button('Add to whitelist').click()
  await page.getByRole('textbox', { name: 'Player name' }).fill('Linus42')
  await page.getByRole('dialog').getByRole('button', { name: 'Add to whitelist' }).click()
  await expect.poll(() => notices()[0]?.text()).toBe('Added. The whitelist is off.')
  void notices()[0]?.action?.run()
  await expect.poll(() => whitelist).toBe(true)
})
