import { expect, test } from 'vitest'
import { render } from 'vitest-browser-svelte'
import '../theme.css'
import '../../messages/en.ts'
import type { Connection, ServerList, View } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import { rails } from '../../core/rails.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import Rail from '../Rail.svelte'

const connection = {
  ...{ id: 'c', kind: 'service', name: 'games.example', baseUrl: '', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
} satisfies Connection
const IDS = ['a', 'b', 'c', 'd', 'e', 'f']
const servers: View<ServerList> = {
  value: {
    items: IDS.map((id) => ({ id, name: `Server ${id}`, status: 'online', role: 'owner' })),
    ...{ leftOut: [], more: false },
  },
  ...{ asOf: '2026-11-22T10:00:00Z', stale: false, problem: null },
}
const icon = (picture: string | null) => ({
  ok: true as const,
  value: { value: { picture }, asOf: '2026-11-22T10:00:00Z', stale: false, problem: null },
})

/** A PNG of one color, as large as it is asked for. */
async function png(side: number): Promise<string> {
  const canvas = new OffscreenCanvas(side, side)
  const context = canvas.getContext('2d')!
  context.fillStyle = '#3a6'
  context.fillRect(0, 0, side, side)
  const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())
  return `data:image/png;base64,${btoa(String.fromCharCode(...bytes))}`
}

test('shows the pictures of servers where nothing was chosen, moves nothing, and asks for two at once', async () => {
  const [good, large] = [await png(64), await png(128)]
  const pictures: Record<string, string | null> = {
    a: good,
    b: good,
    c: null,
    d: large,
    e: 'data:image/svg+xml;base64,PHN2Zz4=',
    f: good,
  }
  let [asked, most] = [0, 0]
  const begun: (() => void)[] = []
  const way = new ScriptedBridge({
    'view servers.list': () => ({ ok: true, value: servers }),
    'rail.read': () => ({
      ok: true,
      value: [
        {
          ...{ connectionId: 'c', revision: '1', loose: [], folders: [] },
          marks: [
            { serverId: 'b', color: 'teal', icon: '🏰' },
            { serverId: 'f', color: 'red', icon: null },
          ],
        },
      ],
    }),
    'view servers.icon': async ({ params }) => {
      most = Math.max(most, ++asked)
      await new Promise<void>((go) => begun.push(go))
      asked -= 1
      return icon(pictures[params.serverId] ?? null)
    },
  })
  window.panel = way
  panel.take(connection)
  await rails.read()
  const { container, unmount } = await render(Rail, { openPalette: () => undefined })
  const row = (id: string) => container.querySelector<HTMLElement>(`[data-server="${id}"]`)!
  const mark = (id: string) => row(id).querySelector<HTMLElement>('.mark')!
  const place = () => IDS.map((id) => row(id).querySelector('.truncate')!.getBoundingClientRect().left)
  await expect.poll(() => begun.length).toBe(2)
  const before = place()
  for (let at = 0; at < IDS.length; at++) {
    await expect.poll(() => begun.length).toBeGreaterThan(at)
    begun[at]?.()
  }
  await expect.poll(() => mark('f').dataset['pictured']).toBe('in')
  expect(most).toBe(2)
  // What somebody chose stays: letters as they are, a color around the picture.
  expect(mark('b').dataset['pictured']).toBeUndefined()
  expect(mark('b').textContent).toBe('🏰')
  expect(mark('f').dataset['color']).toBe('red')
  expect(getComputedStyle(mark('a')).backgroundImage).toBe(`url("${good}")`)
  // None, of another size, or no picture at all.
  for (const id of ['c', 'd', 'e']) expect(mark(id).dataset['pictured']).toBeUndefined()
  expect(place()).toEqual(before)

  // What its service tells anew is shown at once.
  way.send('view', {
    ...{ view: 'servers.icon', connectionId: 'c', params: { serverId: 'a' }, query: {} },
    now: icon(null).value,
  })
  await expect.poll(() => mark('a').dataset['pictured']).toBeUndefined()
  // A list that is told anew has the same servers in it.
  const asks = () => way.called.filter(({ name }) => name.endsWith('servers.icon')).length
  const asksBefore = asks()
  const renamed = servers.value!.items.map((server) => ({ ...server, name: `New ${server.id}` }))
  way.send('view', {
    ...{ view: 'servers.list', connectionId: 'c', params: {}, query: {} },
    now: { ...servers, value: { ...servers.value!, items: renamed } },
  })
  await expect.poll(() => row('a').textContent).toContain('New a')
  expect(asks()).toBe(asksBefore)

  const left = way.called.filter(({ name }) => name === 'leave servers.icon').length
  await unmount()
  await expect
    .poll(() => way.called.filter(({ name }) => name === 'leave servers.icon').length)
    .toBe(left + IDS.length)
})
