import { expect, test } from 'vitest'
import { answerJson, type OddAnswer } from '../../../tests/doubles/services/odd-service.ts'
import { panelAt } from '../panel/panel.fixture.ts'
import { softwareViews } from '../areas/software/views.ts'
import { viewReader } from './view-reader.ts'

const params = { serverId: 'a' }
const answers = {
  'a refusal': (_request, response) => answerJson(response, { error: { message: 'No.' } }, 409),
  'a failure halfway': (_request, response) => answerJson(response, {}, 500),
  'an answer that is lost': (request) => void request.socket.destroy(),
  'an answer that says nothing': (_request, response) => void response.writeHead(202).end(),
} satisfies Record<string, OddAnswer> as Record<string, OddAnswer>

test.each(Object.entries(answers))(
  'views are read again after a write, also after %s',
  async (_what, answer) => {
    let status = 'offline'
    const { view, send, until, connectionId, seen } = await panelAt({
      'GET /servers/status/a': (_request, response) => answerJson(response, { status }),
      'POST /servers/power/a': (request, response, url) => {
        status = 'starting'
        return answer(request, response, url)
      },
    })
    await view('servers.status', { connectionId, params })
    await until('view', (event) => event.view === 'servers.status' && event.now.value !== null)
    const begin = seen.length
    await send('servers.power', { connectionId, params, body: { action: 'start' } }).catch(() => undefined)
    const now = await until('view', (event) => event.view === 'servers.status' && !event.now.stale, begin)
    expect(now.now.value).toMatchObject({ status: 'starting' })
  },
)

test('the answer of a write is the new value of the view that it puts, with its tag', async () => {
  let asked = 0
  const { view, send, until, connectionId, seen } = await panelAt({
    'GET /servers/config/a': (_request, response) => {
      asked++
      response.setHeader('ETag', '"1"')
      answerJson(response, { name: 'Old' })
    },
    'PATCH /servers/config/a': (request, response) => {
      expect(request.headers['if-match']).toBe('"1"')
      response.setHeader('ETag', '"2"')
      answerJson(response, { name: 'New' })
    },
  })
  const at = { connectionId, params }
  await view('servers.read-config', at)
  const read = await until(
    'view',
    (event) => event.view === 'servers.read-config' && event.now.value !== null,
  )
  expect(read.now).toMatchObject({ value: { name: 'Old' }, tag: '"1"' })
  const begin = seen.length
  await send('servers.change-config', { ...at, body: { name: 'New' }, ifMatch: '"1"' })
  const put = await until('view', (event) => event.view === 'servers.read-config', begin)
  expect(put.now).toMatchObject({ value: { name: 'New' }, tag: '"2"', stale: false })
  expect(asked).toBe(1)
})

test('an area that is not offered says since when, and is asked anew by who wants that', async () => {
  const { view, until, connectionId, routes } = await panelAt({
    'GET /servers': (_request, response) => answerJson(response, [{ id: 'a', name: 'A' }]),
    'GET /servers/extensions/a': (_request, response) => void response.writeHead(501).end(),
  })
  const at = { connectionId, params }
  await view('extensions.list', at)
  const lacking = await until(
    'view',
    (event) => event.view === 'extensions.list' && event.now.problem !== null,
  )
  expect(lacking.now.problem).toMatchObject({ code: 'unavailable', detail: 'extensions.list' })
  expect(Date.now() - Date.parse(lacking.now.problem?.since ?? '')).toBeLessThan(60_000)
  routes['GET /servers/extensions/a'] = (_request, response) => answerJson(response, { items: [] })
  expect(await view('extensions.list', at)).toMatchObject({ problem: { code: 'unavailable' } })
  expect(await view('extensions.list', at, true)).toMatchObject({
    ...{ value: { items: [] }, problem: null, stale: false },
  })
})

test('of what people read page by page a window reads the page that it asks for, and hears how to go on', async () => {
  const asked: (string | null)[] = []
  const { view, connectionId } = await panelAt({
    'GET /modpacks/search': (_request, response, url) => {
      const cursor = url.searchParams.get('cursor')
      asked.push(cursor)
      const nextCursor = { none: 'b', b: 'c', c: 'c', long: 'x'.repeat(201) }[cursor ?? 'none']
      answerJson(response, { items: [{ id: cursor ?? 'a', name: 'One' }], nextCursor: nextCursor ?? null })
    },
  })
  const read = async (cursor?: string) => {
    const query = { query: '', ...(cursor && { cursor }) }
    return (await view('modpacks.search', { connectionId, query })).value
  }
  expect(await read()).toMatchObject({ items: [{ id: 'a' }], more: true, next: 'b' })
  expect(await read('b')).toMatchObject({ items: [{ id: 'b' }], more: true, next: 'c' })
  // A service that leads back to where one is has no more, and what is too long for a question cannot be asked with.
  expect(await read('c')).toMatchObject({ items: [{ id: 'c' }], more: false, next: null })
  expect(await read('long')).toMatchObject({ more: true, next: null })
  expect(await read('end')).toMatchObject({ more: false, next: null })
  expect(asked).toEqual([null, 'b', 'c', 'long', 'end'])
})

test('what makes a read stale reaches the view that is composed of it', () => {
  const { madeOf } = viewReader(() => Promise.reject(new Error('not asked')) as never, softwareViews)
  expect(madeOf('software.list')).toEqual(['software.list', 'software.versions'])
  expect(madeOf('servers.list')).toEqual(['servers.list'])
})

test('unreadable sources of a list are passed on, whichever page names them', async () => {
  const page = (name: string, more: object) => ({ items: [{ name, uuid: name }], ...more })
  const { view, connectionId } = await panelAt({
    'GET /servers/players/a': (_request, response, url) =>
      answerJson(
        response,
        url.searchParams.get('cursor') === 'b'
          ? page('Ben', { nextCursor: null, unreadable: ['bans', 'whitelist', 'of a newer version'] })
          : { ...page('Ann', { nextCursor: 'b' }), unreadable: ['whitelist'] },
      ),
    'GET /servers/players/b': (_request, response) =>
      answerJson(response, { unreadable: 'ops', items: [], nextCursor: null }),
  })
  const read = async (serverId: string) => {
    const at = { connectionId, params: { serverId } }
    await view('players.list', at)
    return (await view('players.list', at, true)).value
  }
  const all = await read('a')
  expect(all?.items).toHaveLength(2)
  expect(all?.unreadable).toEqual(['whitelist', 'bans'])
  expect(await read('b')).toEqual({ items: [], leftOut: [], more: false })
})
