import { beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../app/theme.css'
import type { ActivityEntry } from '../../../contract/areas/activity.ts'
import type { Connection, View } from '../../../contract/bridge/values.ts'
import { askedPlayer, askPlayer } from '../../core/asked-player.svelte.ts'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { useLanguage } from '../../messages/t.svelte.ts'
import Activity from './Activity.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
type ListOf<T> = { items: T[]; leftOut: { index: number; path: string }[]; more: boolean | 'perhaps' }
const shown = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const ann = { id: 'ann', name: 'Ann', owner: true, you: true }
const ben = { id: 'ben', name: 'Ben' }
const entries: ActivityEntry[] = [
  {
    ...{ id: '9', at: minutesAgo(2), actor: ben, action: 'players.act.ban', result: 'partly' },
    ...{ what: 'player', target: 'Griefer', targets: ['Griefer', 'Other'], count: 5, address: '192.0.2.7' },
  },
  { id: '8', at: minutesAgo(3), actor: { service: true }, action: 'servers.crashed', result: 'failed', reason: 'exit-code-7' }, // prettier-ignore
  { id: '7', at: minutesAgo(4), actor: ben, action: 'servers.power.start', result: 'refused', reason: 'server.forbidden', times: 3 }, // prettier-ignore
  { id: '6', at: minutesAgo(60), actor: ann, action: 'console.command', what: 'command', target: 'say hi', result: 'accepted' }, // prettier-ignore
  { id: '5', at: minutesAgo(61), actor: ann, action: 'players.turn-whitelist', what: 'switch', target: 'true', result: 'done' }, // prettier-ignore
  { id: '4', action: 'moon.fly', result: { kind: 'unknown', raw: 'perfect' } },
]

let way: ScriptedBridge
let list: ListOf<ActivityEntry>

interface ActivityQuery {
  query?: { before?: string; actor?: string; area?: string; since?: string }
}
const asked = (): ActivityQuery[] =>
  way.called.filter(({ name }) => name === 'view activity.list').map(({ input }) => input as ActivityQuery)

beforeEach(() => {
  list = { items: entries, leftOut: [], more: false }
  askPlayer(null)
  way = new ScriptedBridge({
    'view servers.read': () => shown({ id: 's', name: 'Meadow' }),
    'view servers.list': () => shown({ items: [{ id: 's', name: 'Meadow' }], leftOut: [], more: false }),
    'view servers.status': () => shown({ status: 'offline' as const }),
    'view activity.list': () => shown(list),
    'view activity.people': () => shown({ items: [ann, ben], leftOut: [], more: false }),
    'activity.save': () => ({ ok: true, value: { path: '/downloads/activity-s.csv' } }),
  })
  window.panel = way
  panel.take(connection)
})

const rows = () =>
  [...document.querySelectorAll('li[data-row]')].map((row) => row.textContent.replaceAll(/\s+/g, ' '))
const open = () => render(Activity, { server: new ServerState('c', 's') })

describe('the activity log', () => {
  it('says of each entry in a sentence who did what, and what came of it where that isn’t clear', async () => {
    await open()
    await expect.poll(rows).toHaveLength(6)
    const [ban, crash, start, command, whitelist, unknown] = rows()
    expect(ban).toMatch(/2 minutes ago Ben banned Griefer, Other and 3 more Partly done 192\.0\.2\.7/)
    expect(crash).toMatch(/3 minutes ago The server crashed Exit code 7/)
    expect(start).toMatch(/Ben tried to start the server · 3 times Refused: no permission/)
    expect(command).toMatch(/1 hour ago You ran say hi *$/)
    expect(whitelist).toMatch(/You turned the whitelist on *$/)
    expect(unknown).toMatch(/– Somebody: moon\.fly perfect/)
  })

  it('leads from a player that was meant to what can be done with them', async () => {
    await open()
    await page.getByRole('button', { name: 'What can be done with Griefer' }).click({ button: 'right' })
    expect(askedPlayer()).toMatchObject({ connectionId: 'c', serverId: 's', name: 'Griefer' })
  })

  it('reads older pages when they are scrolled to, and keeps them when something new is done', async () => {
    const made = (first: number, count: number): ActivityEntry[] =>
      Array.from({ length: count }, (_, at) => ({
        ...{ id: String(first - at), action: 'files.folder', what: 'file', target: `f${first - at}` },
        ...{ at: minutesAgo(1000 - first + at), actor: ann, result: 'done' as const },
      }))
    list = { items: made(300, 100), leftOut: [], more: true }
    way.answer('view activity.list', (input) => {
      const { query, again } = input as ActivityQuery & { again?: boolean }
      const before = query?.before
      // What was never read is answered at once with nothing, unless the service itself is asked.
      if (before && !again)
        return { ok: true, value: { value: null, asOf: null, stale: true, problem: null } }
      return shown(
        before ? { items: made(Number(before) - 1, 100), leftOut: [], more: Number(before) > 102 } : list,
      )
    })
    await open()
    await expect.poll(() => rows().length).toBeGreaterThan(0)
    const region = page.getByRole('region', { name: /What was done/ }).element()
    const bottom = () => {
      region.scrollTop = region.scrollHeight
      return rows().join()
    }
    await expect.poll(bottom).toContain('f1 ')
    // What the service has told of is read: nothing is missing.
    expect(page.getByText('There may be more than the service listed.').elements()).toHaveLength(0)
    await expect.element(page.getByText('No older entries.')).toBeVisible()
    expect(asked().map(({ query }) => query?.before)).toEqual([undefined, '201', '101'])
    const height = region.scrollHeight
    way.send('view', {
      ...{ view: 'activity.list', connectionId: 'c', params: { serverId: 's' }, query: {} },
      now: shown({ items: made(301, 100), leftOut: [], more: true }).value,
    })
    await expect.poll(() => region.scrollHeight).toBe(height + 32)
    await expect.poll(bottom).toContain('f1 ')
    // So much was done meanwhile that nobody knows what is in between: it begins anew, with nothing left out.
    way.send('view', {
      ...{ view: 'activity.list', connectionId: 'c', params: { serverId: 's' }, query: {} },
      now: shown({ items: made(900, 100), leftOut: [], more: true }).value,
    })
    await expect.poll(() => rows().join()).not.toContain('f1 ')
  })

  it('asks a service that sends the same page again and again for older ones once, and does not say that this is all', async () => {
    list = { items: entries, leftOut: [], more: true }
    way.answer('view activity.list', () => shown({ ...list, items: [...entries] }))
    await open()
    await expect
      .element(page.getByText('The service has older entries, but doesn’t send them.'))
      .toBeVisible()
    expect(asked().filter(({ query }) => query?.before !== undefined)).toHaveLength(1)
    expect(page.getByText('No older entries.').elements()).toHaveLength(0)
  })

  it('names each person once, however often the service does', async () => {
    way.answer('view activity.people', () => shown({ items: [ann, ben, ben, ann], leftOut: [], more: false }))
    await open()
    const options = () => [...document.querySelectorAll('select')[0]!.options].map(({ text }) => text)
    await expect.poll(options).toEqual(['Everybody', 'You', 'Ben'])
  })

  it('has no choice of persons where there is only one', async () => {
    way.answer('view activity.people', () => shown({ items: [ann], leftOut: [], more: false }))
    await open()
    await expect.element(page.getByRole('combobox', { name: 'Kind' })).toBeVisible()
    expect(page.getByRole('combobox', { name: 'Person' }).elements()).toEqual([])
  })

  it('is asked for by person, kind and time, and can be shown whole again', async () => {
    await open()
    await expect.poll(rows).toHaveLength(6)
    list = { items: [], leftOut: [], more: false }
    await page.getByRole('combobox', { name: 'Person' }).selectOptions('Ben')
    await page.getByRole('combobox', { name: 'Kind' }).selectOptions('Files')
    await page.getByRole('combobox', { name: 'Time' }).selectOptions('Last 7 days')
    await expect.element(page.getByRole('heading', { name: 'No results' })).toBeVisible()
    expect(asked().at(-1)?.query).toMatchObject({ actor: 'ben', area: 'files' })
    expect(Date.now() - Date.parse(asked().at(-1)?.query?.since ?? '')).toBeGreaterThan(7 * 86_400_000 - 1000)
    list = { items: entries, leftOut: [], more: false }
    await page.getByRole('button', { name: 'Show everything' }).click()
    await expect.poll(rows).toHaveLength(6)
  })

  it('says that nothing was done only where nothing is missing', async () => {
    list = { items: [], leftOut: [], more: false }
    const { unmount } = await open()
    await expect.element(page.getByRole('heading', { name: 'No activity yet' })).toBeVisible()
    await unmount()
    list = { items: [], leftOut: [{ index: 0, path: 'items.0.action' }], more: false }
    const leftOut = await open()
    await expect.element(page.getByRole('heading', { name: 'Nothing can be shown' })).toBeVisible()
    await leftOut.unmount()
    // An empty page, with others to come.
    list = { items: [], leftOut: [], more: true }
    await open()
    await expect.element(page.getByRole('heading', { name: 'Nothing can be shown' })).toBeVisible()
  })

  it('says what failed, what is not offered, and how old it is while its service is away', async () => {
    way.answer('view activity.list', () => ({
      ok: true,
      value: {
        value: null,
        asOf: null,
        stale: true,
        problem: { code: 'forbidden', message: 'No.', retryable: false },
      },
    }))
    const { unmount } = await open()
    await expect.element(page.getByText('The activity log couldn’t be loaded')).toBeVisible()
    await unmount()
    way.answer('view activity.list', () => shown(list))
    await open()
    await expect.poll(rows).toHaveLength(6)
    const problem = { code: 'offline' as const, message: 'No.', retryable: true }
    panel.take({ ...connection, state: { kind: 'offline', problem, since: minutesAgo(1) } })
    await expect.element(page.getByText(/as of/)).toBeVisible()
    await expect
      .element(page.getByRole('button', { name: 'Export' }))
      .toHaveAttribute('aria-disabled', 'true')
  })

  it('is saved as a file, and its German words are German', async () => {
    await useLanguage('de')
    await open()
    await page.getByRole('button', { name: 'Exportieren' }).click()
    await expect.poll(() => way.called.some(({ name }) => name === 'activity.save')).toBe(true)
    expect(rows()[0]).toMatch(/Ben hat Griefer, Other und 3 weitere gesperrt Teilweise erledigt/)
    await useLanguage('en')
  })
})
