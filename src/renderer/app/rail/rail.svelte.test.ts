import { expect, test } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page, userEvent } from 'vitest/browser'
import '../theme.css'
import '../../messages/en.ts'
import type { Connection, ServerList, View } from '../../../contract/bridge/values.ts'
import type { Rail as Kept } from '../../../contract/rules/rail/rail.ts'
import { panel } from '../../core/panel.svelte.ts'
import { rails } from '../../core/rails.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { notices } from '../../ui/feedback/notices.svelte.ts'
import Rail from '../Rail.svelte'
import { changeRail } from './change-rail.ts'
import { pickedNow } from './rail-tools.svelte.ts'
import AppearanceDialog from './AppearanceDialog.svelte'
import { moveServers } from './steps.ts'

const connection = {
  ...{ id: 'c', kind: 'service', name: 'games.example', baseUrl: '', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
} satisfies Connection
const servers: View<ServerList> = {
  value: {
    items: ['a', 'b', 'c', 'd'].map((id) => ({ id, name: `Server ${id}`, status: 'offline', role: 'owner' })),
    ...{ leftOut: [], more: false },
  },
  ...{ asOf: '2026-11-22T10:00:00Z', stale: false, problem: null },
}
const arranged = (revision: string, more: Partial<Kept> = {}): Kept => ({
  ...{ connectionId: 'c', revision, loose: [], folders: [], marks: [] },
  ...more,
})

/** The panel's main: it keeps one arrangement, and refuses what is based on another one. */
async function main(first: Kept) {
  let kept = first
  let view: View<ServerList> = servers
  let count = 0
  const way = new ScriptedBridge({
    'view servers.list': () => ({ ok: true, value: view }),
    'rail.read': () => ({ ok: true, value: [kept] }),
    'rail.arrange': ({ base, arrangement }) => {
      if (base !== kept.revision)
        return { ok: false, problem: { code: 'changed', message: 'changed', retryable: true } }
      kept = arranged(`by this window ${++count}`, arrangement)
      return { ok: true, value: kept }
    },
  })
  window.panel = way
  panel.take(connection)
  await rails.read()
  return {
    now: () => kept,
    /** What another window does, of which this one has not heard yet. */
    elsewhere: (next: Kept) => void (kept = next),
    /** What the service answers from now on. */
    async answers(next: View<ServerList>) {
      view = next
      await panel.servers('c').read()
    },
  }
}

const items = (() => panel.servers('c').value?.items ?? []) as () => NonNullable<
  typeof servers.value
>['items']

test('shows folders with their servers, folds them, and opens the palette for a search', async () => {
  const { now } = await main(
    arranged('1', {
      loose: ['d'],
      folders: [
        { id: 'f', name: 'Friends', collapsed: true, servers: ['a', 'gone'] },
        { id: 'e', name: 'Empty', collapsed: false, servers: [] },
      ],
      marks: [{ serverId: 'd', color: 'teal', icon: '🏰' }],
    }),
  )
  let opened = 0
  const drawn = await render(Rail, { openPalette: () => void opened++ })
  const links = () =>
    page
      .getByRole('link', { name: /^.*Server/ })
      .elements()
      .map((one) => (one as HTMLElement).dataset['server'])
  await expect.poll(links).toEqual(['d', 'b', 'c'])
  const folder = page.getByRole('button', { name: /^Friends/ })
  await expect.element(folder).toHaveAttribute('aria-expanded', 'false')
  await expect.element(page.getByRole('group', { name: 'Empty' })).toBeVisible()
  expect(drawn.container.querySelector('[data-color=teal]')?.textContent).toBe('🏰')

  await page.getByRole('button', { name: /^Search/ }).click()
  expect(opened).toBe(1)
  await folder.click()
  await expect.poll(links).toEqual(['d', 'b', 'c', 'a'])
  expect(now().folders[0]).toEqual({ id: 'f', name: 'Friends', collapsed: false, servers: ['a', 'gone'] })
})

test('what another window did meanwhile is kept, and the step is taken on that', async () => {
  const { now, elsewhere } = await main(arranged('1', { loose: ['a', 'b', 'c', 'd'] }))
  await panel.servers('c').read()
  elsewhere(
    arranged('2', { loose: ['a', 'b', 'c', 'd'], marks: [{ serverId: 'a', color: 'red', icon: null }] }),
  )
  await changeRail('c', moveServers(items(), ['d'], { folder: null, before: 'a' }))
  expect(now().loose).toEqual(['d', 'a', 'b', 'c'])
  expect(now().marks).toHaveLength(1)
  expect(rails.of('c')).toEqual(now())
})

test('several servers get what was chosen, keep the rest of their looks, and have all of it back', async () => {
  const marks: Kept['marks'] = [
    { serverId: 'a', color: 'red', icon: 'A' },
    { serverId: 'b', color: 'blue', icon: '🏰' },
  ]
  const { now } = await main(arranged('1', { marks }))
  await panel.servers('c').read()
  let closed = 0
  const close = () => void closed++
  const drawn = await render(AppearanceDialog, { connectionId: 'c', ids: ['c', 'a', 'b'], close })
  await expect.element(page.getByText(/These servers look different/)).toBeVisible()
  expect(page.getByRole('radio', { checked: true }).elements()).toEqual([])
  await expect.element(page.getByRole('textbox', { name: 'Symbol' })).toHaveValue('')
  await expect.element(page.getByRole('button', { name: 'Remove' })).toBeVisible()
  await page.getByText('Teal', { exact: false }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => closed).toBe(1)
  expect(now().marks).toEqual([
    { serverId: 'c', color: 'teal', icon: null },
    { serverId: 'a', color: 'teal', icon: 'A' },
    { serverId: 'b', color: 'teal', icon: '🏰' },
  ])
  const notice = notices().find((one) => one.text() === 'Look of 3 servers changed')
  await notice?.action?.run()
  expect(now().marks).toEqual(marks)
  await drawn.unmount()
})

test('several steps at once follow each other', async () => {
  const { now } = await main(arranged('1', { loose: ['a', 'b', 'c', 'd'] }))
  await panel.servers('c').read()
  const to = (before: string) => ({ folder: null, before })
  await Promise.all([
    changeRail('c', moveServers(items(), ['d'], to('a'))),
    changeRail('c', moveServers(items(), ['c'], to('d'))),
    changeRail('c', moveServers(items(), ['b'], to('c'))),
  ])
  expect(now().loose).toEqual(['b', 'c', 'd', 'a'])
})

test('Shift keeps the tick of a server that is selected, and nothing is selected once all of it is gone', async () => {
  const { answers } = await main(arranged('1'))
  await panel.servers('c').read()
  await render(Rail, { openPalette: () => undefined })
  const link = (id: string) => page.getByRole('link', { name: new RegExp(`Server ${id}`) })
  const box = (id: string) => page.getByRole('checkbox', { name: new RegExp(`Server ${id}`) })
  const click = (at: Element, held: MouseEventInit) =>
    at.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...held }))
  await expect.element(link('a')).toBeVisible()
  ;(link('a').element() as HTMLElement).focus()
  await expect.element(page.getByRole('navigation', { name: 'Servers' })).toHaveAttribute('data-tools', '')
  click(link('a').element(), { ctrlKey: true })
  await expect.element(box('a')).toBeChecked()
  click(box('b').element(), { shiftKey: true })
  click(box('a').element(), { shiftKey: true })
  for (const id of ['a', 'b']) await expect.element(box(id)).toBeChecked()
  await expect.element(page.getByText('2 selected')).toBeInTheDocument()

  const items = servers.value?.items.slice(2) ?? []
  await answers({ ...servers, value: { items, leftOut: [], more: false } })
  await expect.element(link('c')).toBeVisible()
  await expect.poll(() => page.getByRole('checkbox').elements()).toEqual([])
  expect(pickedNow()).toBeNull()
})

test('a folder says how many servers it has only where they could be read', async () => {
  const { answers } = await main(
    arranged('1', { folders: [{ id: 'f', name: 'Friends', collapsed: false, servers: ['a'] }] }),
  )
  const problem = { code: 'forbidden' as const, message: 'no', retryable: false }
  await answers({ ...servers, value: null, problem })
  await render(Rail, { openPalette: () => undefined })
  const folder = page.getByRole('button', { name: /^Friends/ })
  await expect.element(folder).not.toMatchTextContent(/\d/)
  await answers(servers)
  await expect.element(folder).toMatchTextContent(/1/)
  await answers({ ...servers, value: { items: [], leftOut: [], more: false } })
  await expect.element(folder).toMatchTextContent(/0/)
})

test('the menu of a server begins with what can be done now, and every stop of the keyboard is seen', async () => {
  document.body.append(document.createElement('main'))
  const { answers } = await main(arranged('1'))
  const items = [{ id: 'a', name: 'Server a', status: 'offline' as const, role: 'owner' as const }]
  await answers({ ...servers, value: { items, leftOut: [], more: false } })
  await render(Rail, { openPalette: () => undefined })
  const link = page.getByRole('link', { name: /Server a/ })
  ;(link.element() as HTMLElement).focus()
  await userEvent.keyboard('{Tab}')
  const more = page.getByRole('button', { name: 'Actions for Server a' })
  await expect.element(more).toHaveFocus()
  expect(getComputedStyle(more.element()).opacity).toBe('1')
  await userEvent.keyboard('{Enter}')
  const labels = () =>
    page
      .getByRole('menuitem')
      .elements()
      .map((one) => one.textContent?.trim())
  await expect
    .poll(labels)
    .toEqual(['Start', 'Open console', 'Back up now', 'Rename…', 'Move to folder…', 'Color and symbol…'])
})

test('the menu of a service copies its address, renames it and signs out of it', async () => {
  document.body.append(document.createElement('main'))
  const way = (await main(arranged('1')), window.panel as ScriptedBridge)
  way.answer('connections.rename', ({ name }) => ({ ok: true, value: { ...connection, name } }))
  way.answer('connections.sign-out', () => ({ ok: true, value: { revoked: true, expiresAt: null } }))
  await render(Rail, { openPalette: () => undefined })
  const service = (name: string) => page.getByRole('group', { name }).getByRole('link').first()
  const item = (name: string) => page.getByRole('menuitem', { name })
  await service('games.example').click({ button: 'right' })
  await expect.element(item('Copy address')).toBeVisible()
  await item('Rename…').click()
  await page.getByRole('textbox').fill('Friends')
  await page.getByRole('button', { name: 'Save' }).click()
  await service('Friends').click({ button: 'right' })
  await item('Sign out…').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await expect
    .poll(() => way.called.filter(({ name }) => name === 'connections.sign-out').map(({ input }) => input))
    .toEqual([{ connectionId: 'c', everywhere: false }])
})

test('every stop of the keyboard in the rail is seen', async () => {
  await page.viewport(1280, 800)
  const { answers } = await main(
    arranged('1', { folders: [{ id: 'f', name: 'Friends', collapsed: false, servers: ['a'] }] }),
  )
  await answers(servers)
  await render(Rail, { openPalette: () => undefined })
  await expect.element(page.getByRole('link', { name: /Server d/ })).toBeVisible()
  ;(page.getByRole('button', { name: /^Search/ }).element() as HTMLElement).focus()
  const stops = new Set<Element>()
  for (let at = document.activeElement; at?.closest('aside') && !stops.has(at); at = document.activeElement) {
    stops.add(at)
    const { width, height } = at.getBoundingClientRect()
    expect(Math.min(width, height), at.outerHTML).toBeGreaterThan(12)
    expect(at.checkVisibility({ opacityProperty: true, visibilityProperty: true }), at.outerHTML).toBe(true)
    await userEvent.keyboard('{Tab}')
  }
  // Search, all servers, the service, create, a folder, four servers with their menus, and three pages.
  expect(stops.size).toBe(16)
})
