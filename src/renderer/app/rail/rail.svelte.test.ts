import { expect, test } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page } from 'vitest/browser'
import '../theme.css'
import '../../messages/en.ts'
import type { Connection, ServerList, View } from '../../../contract/bridge/values.ts'
import type { Rail as Kept } from '../../../contract/pure/rail.ts'
import { panel } from '../../core/panel.svelte.ts'
import { rails } from '../../core/rails.svelte.ts'
import { ScriptedWay } from '../../core/scripted-way.fixture.ts'
import Rail from '../Rail.svelte'
import { changeRail } from './change-rail.ts'
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
  let count = 0
  const way = new ScriptedWay({
    'view servers.list': () => ({ ok: true, value: servers }),
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
  }
}

const items = (() => panel.servers('c').value?.items ?? []) as () => NonNullable<
  typeof servers.value
>['items']

test('shows folders with their servers, folds them, and finds what is in them', async () => {
  const { now } = await main(
    arranged('1', {
      loose: ['d'],
      folders: [
        { id: 'f', name: 'Friends', collapsed: true, servers: ['a', 'gone'] },
        { id: 'e', name: 'Empty', collapsed: false, servers: [] },
      ],
      marks: [{ serverId: 'd', colour: 'teal', icon: '🏰' }],
    }),
  )
  const drawn = await render(Rail, { openPalette: () => undefined })
  const links = () =>
    page
      .getByRole('link', { name: /^.*Server/ })
      .elements()
      .map((one) => (one as HTMLElement).dataset['server'])
  await expect.poll(links).toEqual(['d', 'b', 'c'])
  const folder = page.getByRole('button', { name: /^Friends/ })
  await expect.element(folder).toHaveAttribute('aria-expanded', 'false')
  await expect.element(page.getByRole('group', { name: 'Empty' })).toBeVisible()
  expect(drawn.container.querySelector('[data-colour=teal]')?.textContent).toBe('🏰')

  await page.getByRole('searchbox').fill('server a')
  await expect.poll(links).toEqual(['a'])
  await page.getByRole('searchbox').fill('')
  await folder.click()
  await expect.poll(links).toEqual(['d', 'b', 'c', 'a'])
  expect(now().folders[0]).toEqual({ id: 'f', name: 'Friends', collapsed: false, servers: ['a', 'gone'] })
})

test('what another window did meanwhile is kept, and the step is taken on that', async () => {
  const { now, elsewhere } = await main(arranged('1', { loose: ['a', 'b', 'c', 'd'] }))
  await panel.servers('c').read()
  elsewhere(
    arranged('2', { loose: ['a', 'b', 'c', 'd'], marks: [{ serverId: 'a', colour: 'red', icon: null }] }),
  )
  await changeRail('c', moveServers(items(), ['d'], { folder: null, before: 'a' }))
  expect(now().loose).toEqual(['d', 'a', 'b', 'c'])
  expect(now().marks).toHaveLength(1)
  expect(rails.of('c')).toEqual(now())
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
