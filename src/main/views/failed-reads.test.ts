import { expect, test } from 'vitest'
import { answerJson, type OddAnswer } from '../../../tests/doubles/services/odd-service.ts'
import { panelAt } from '../panel/panel.fixture.ts'

const item = (id: string) => ({ id, name: `Server ${id}`, status: 'offline' })

test.each([
  ['an internal error', 500, {}],
  ['a 404 of something that is offered', 404, { error: { code: 'server.not-found', message: 'Gone.' } }],
] as const)('a list that failed by %s is read again by itself', async (_what, status, body) => {
  const list: OddAnswer = (_request, response) =>
    answerJson(response, { items: [item('a')], nextCursor: null })
  const { view, send, until, connectionId, routes, seen } = await panelAt({ 'GET /servers': list })
  await view('servers.list', { connectionId })
  await until('view', ({ view, now }) => view === 'servers.list' && now.value !== null)
  routes['GET /servers'] = (_request, response) => answerJson(response, body, status)
  const begin = seen.length
  // What changes a server makes the list old.
  await send('servers.power', { connectionId, params: { serverId: 'a' }, body: { action: 'start' } })
  const failed = await until(
    'view',
    ({ view, now }) => view === 'servers.list' && now.problem !== null,
    begin,
  )
  expect(failed.now.problem).toMatchObject({ code: 'service-failed', retryable: true })
  const since = seen.length
  routes['GET /servers'] = list
  const mended = await until(
    'view',
    ({ view, now }) => view === 'servers.list' && now.problem === null,
    since,
  )
  expect(mended.now).toMatchObject({ stale: false, value: { items: [{ id: 'a' }] } })
})

const same = (): string => 'again'
const another = (cursor: string | null): string => `p${Number(cursor?.slice(1) ?? 0) + 1}`

test.each([
  ['names the page before', same, 2],
  ['names ever another page', another, 2],
  ['goes round in two pages', another, 3],
] as const)(
  'a list whose service %s and answers the same ends, holds nothing twice, and is not called complete',
  async (_what, nextCursor, pages) => {
    let asked = 0
    const { view, until, connectionId } = await panelAt({
      'GET /servers/players/a': (_request, response, url) => {
        const names = asked++ % (pages - 1) === 0 ? ['Alice', 'Bob'] : ['Carol']
        const items = names.map((name) => ({ name }))
        answerJson(response, { items, nextCursor: nextCursor(url.searchParams.get('cursor')) })
      },
    })
    await view('players.list', { connectionId, params: { serverId: 'a' } })
    const { now } = await until('view', ({ view, now }) => view === 'players.list' && now.value !== null)
    const names = ['Alice', 'Bob', ...(pages === 3 ? ['Carol'] : [])]
    expect(now.value).toEqual({ items: names.map((name) => ({ name })), leftOut: [], more: true })
    expect(asked).toBe(pages)
  },
)

test('one bad item never fails a list: what is doubled or does not fit is left out and told', async () => {
  let software = 0
  const { view, until, connectionId } = await panelAt({
    'GET /servers': (_request, response, url) => {
      // Pages that shift, an item twice in one of them, one without an id, and a cursor that leads back to itself.
      const items = url.searchParams.has('cursor')
        ? [item('b'), item('c')]
        : [item('a'), { name: 'No id' }, item('a'), item('b'), 7]
      answerJson(response, { items, nextCursor: 'again' })
    },
    'GET /software': (_request, response) =>
      answerJson(response, { items: ['x', 'y', 'x'].map((id) => ({ id, name: id })), nextCursor: null }),
    'GET /software/x/versions': (_request, response) =>
      answerJson(response, { items: [{ id: '1' }, { id: '1' }, {}], nextCursor: null }),
    'GET /software/y/versions': (_request, response) => {
      software++
      answerJson(response, {}, 500)
    },
  })
  await view('servers.list', { connectionId })
  const list = await until('view', ({ view, now }) => view === 'servers.list' && now.value !== null)
  expect(list.now).toMatchObject({ problem: null, value: { items: ['a', 'b', 'c'].map((id) => ({ id })) } })
  expect(list.now.value).toMatchObject({
    leftOut: [{ path: 'items.1.id' }, { path: 'items.4' }, { path: 'items.1.id' }],
  })
  await view('software.list', { connectionId })
  const catalog = await until('view', ({ view, now }) => view === 'software.list' && now.value !== null)
  expect(catalog.now).toMatchObject({
    problem: null,
    value: {
      // Of the versions of y nothing can be read: it is offered, and that there may be some is told.
      items: [
        { id: 'x', versions: [{ id: '1' }] },
        { id: 'y', versions: [] },
      ],
      leftOut: [{ path: 'items.2.id' }],
      more: 'perhaps',
    },
  })
  expect(software).toBeGreaterThan(0)
})
