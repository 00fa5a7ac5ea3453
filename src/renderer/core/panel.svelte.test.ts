import { afterEach, expect, test } from 'vitest'
import type { Connection, ServerList, View } from '../../contract/bridge/values.ts'
import { Panel } from './panel.svelte.ts'
import { ScriptedBridge } from './scripted-bridge.fixture.ts'

const connections = ['a', 'b', 'c'].map(
  (id) => ({ id, kind: 'service', state: { kind: 'ready' } }) as Partial<Connection> as Connection,
)
const listOf = (name: string, count = 1): View<ServerList> => ({
  value: {
    items: Array.from({ length: count }, (_, at) => ({ id: `${name}${at}`, name })),
    leftOut: [],
    more: false,
  },
  asOf: '2026-11-22T10:00:00Z',
  stale: false,
  problem: null,
})
const answers: ConstructorParameters<typeof ScriptedBridge>[0] = {
  'connections.list': () => ({ ok: true, value: connections }),
  'settings.read': () => ({
    ok: true,
    value: { theme: 'system', language: 'system', timestamps: false, playersOn: 'ask' },
  }),
  'app.info': () => ({
    ok: true,
    value: { version: '1', way: 'browser', keychain: { kind: 'ready' } } as never,
  }),
  'view servers.list': ({ connectionId }) => ({ ok: true, value: listOf(connectionId) }),
}

let stop = () => undefined as void
afterEach(() => stop())

/** Starts a panel and shows its servers as the rail does; answers what was shown, the newest last. */
function start(way: ScriptedBridge, drawn = () => {}): string[] {
  window.panel = way
  const panel = new Panel()
  void panel.start()
  return show(panel, drawn)
}

function show(panel: Panel, drawn = () => {}): string[] {
  const shown: string[] = []
  stop = $effect.root(() => {
    $effect(() => {
      const lists = panel.drawn.map(({ id }) => panel.servers(id).value?.items[0]?.name ?? '-')
      if (!panel.connections) return
      drawn()
      shown.push(lists.join())
    })
  })
  void panel.mounted()
  return shown
}

test('the first picture has all servers, and each list was asked for once', async () => {
  const way = new ScriptedBridge(answers)
  const shown = start(way)
  await expect.poll(() => shown).toEqual(['a,b,c'])
  // What the picture would ask for or leave, it has by then.
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  const asked = way.called.filter(({ name }) => name.includes('servers.list'))
  expect(asked.map(({ name }) => name)).toEqual(Array(3).fill('view servers.list'))
  expect(way.listening('view')).toBe(3)
})

test('a frame that is mounted later asks for nothing anew', async () => {
  const way = new ScriptedBridge(answers)
  window.panel = way
  const panel = new Panel()
  await panel.start()
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  const shown = show(panel)
  await expect.poll(() => shown).toEqual(['a,b,c'])
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  expect(way.called.filter(({ name }) => name === 'view servers.list')).toHaveLength(3)
  expect(way.listening('view')).toBe(3)
})

test('a list that takes long keeps no other back, and what changes meanwhile is shown', async () => {
  let answer = (_: unknown) => undefined as void
  const way = new ScriptedBridge({
    ...answers,
    'view servers.list': ({ connectionId }) =>
      connectionId === 'b'
        ? new Promise((resolve) => (answer = () => resolve({ ok: true, value: listOf('b') })))
        : { ok: true, value: listOf(connectionId) },
  })
  const shown = start(way)
  await expect.poll(() => way.called.filter(({ name }) => name === 'view servers.list').length).toBe(3)
  await expect.poll(() => way.listening('view')).toBe(3)
  way.send('view', { view: 'servers.list', connectionId: 'a', params: {}, query: {}, now: listOf('new') })
  await expect.poll(() => shown.at(-1)).toBe('new,-,c')
  answer(null)
  await expect.poll(() => shown.at(-1)).toBe('new,b,c')
})

test('of a crowd, what fills the window is asked for and drawn first, and the others once that stands', async () => {
  const asked: string[] = []
  let askedByThen = ''
  const way = new ScriptedBridge({
    ...answers,
    'view servers.list'({ connectionId }) {
      asked.push(connectionId)
      return { ok: true, value: listOf(connectionId, 200) }
    },
  })
  const shown = start(way, () => (askedByThen ||= asked.join()))
  await expect.poll(() => shown.at(-1)).toBe('a,b,c')
  expect(shown[0]).toBe('a,b')
  expect(askedByThen).toBe('a,b')
  expect(asked.join()).toBe('a,b,c')
})

test('connections that were told while the first lists were waited for stay', async () => {
  let answer = () => undefined as void
  const way = new ScriptedBridge({
    ...answers,
    'view servers.list': ({ connectionId }) =>
      new Promise((resolve) => (answer = () => resolve({ ok: true, value: listOf(connectionId) }))),
  })
  const shown = start(way)
  await expect.poll(() => way.called.filter(({ name }) => name === 'view servers.list').length).toBe(2)
  way.send('connections', connections.slice(1))
  await expect.poll(() => shown.at(-1)).toBe('-,-')
  answer()
  // The wait for the first picture is over.
  await expect.poll(() => way.listening('view')).toBe(2)
  expect(shown.at(-1)?.split(',')).toHaveLength(2)
})
