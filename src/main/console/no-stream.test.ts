import { expect, it } from 'vitest'
import { answerJson, beginEvents, type OddAnswer } from '../../../tests/doubles/services/odd-service.ts'
import { listenTo } from './live-stream.fixture.ts'

const texts =
  (...words: string[]): OddAnswer =>
  (_request, response) =>
    answerJson(response, { items: words.map((text, at) => ({ id: `1-${at + 1}`, text })), nextCursor: null })
const stats: OddAnswer = (_request, response) => answerJson(response, { cpuPercent: 7, memoryBytes: 9 })
const console = 'GET /servers/console/s'
const events = 'GET /servers/events'

const streams: Record<string, { answer: OddAnswer; why: string }> = {
  'is not there': { answer: (_q, response) => answerJson(response, {}, 404), why: 'absent' },
  'is not allowed by its method': { answer: (_q, response) => answerJson(response, {}, 405), why: 'absent' },
  'is not built': { answer: (_q, response) => answerJson(response, {}, 501), why: 'absent' },
  'is forbidden': { answer: (_q, response) => answerJson(response, {}, 403), why: 'forbidden' },
  fails: { answer: (_q, response) => answerJson(response, {}, 500), why: 'failing' },
  'is reset': { answer: (request) => void request.socket.destroy(), why: 'failing' },
  'is a web page': {
    answer: (_q, response) =>
      void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><p>Hello'),
    why: 'failing',
  },
  'is JSON': { answer: (_q, response) => answerJson(response, { items: [] }), why: 'failing' },
  'ends at once': {
    answer(_q, response) {
      beginEvents(response)
      response.end()
    },
    why: 'failing',
  },
  'is silent': { answer: (_q, response) => void beginEvents(response), why: 'failing' },
  'tells nothing that can be read': {
    answer(_q, response) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write('data: {"hello":1}\n\ndata: null\n\nevent: lines\ndata: null\n\ndata: {"li\n\n')
    },
    why: 'failing',
  },
}

it.each(Object.entries(streams))(
  'asks for status, statistics and lines where the event stream %s, and says so',
  async (_what, { answer, why }) => {
    let statuses = 0
    const { lines, told, states, until, routes } = await listenTo(
      { [events]: answer, [console]: texts('one'), 'GET /servers/stats/s': stats },
      {
        readStatus: async () => {
          statuses++
          return null
        },
      },
    )
    await until(() => told.stats.length > 1 && lines.length > 0 && statuses > 1)
    routes[console] = texts('one', 'two')
    await until(() => lines.length > 1)
    expect(lines).toEqual(['one', 'two'])
    expect(told.stats[0]).toMatchObject({ cpuPercent: 7 })
    expect(told.noStats.filter(Boolean)).toEqual([])
    expect(states.at(-1)).toMatchObject({ state: 'polling', asked: { why } })
  },
)

it('asks less often while nothing is new, and at once when something was done', async () => {
  const { states, until, stream } = await listenTo({ [console]: texts('one'), 'GET /servers/stats/s': stats })
  await until(() => states.at(-1)?.asked?.every === 15)
  const steps = states.flatMap(({ asked }) => asked?.every ?? [])
  expect(steps).toEqual([...steps].sort((a, b) => a - b))
  stream().hurry()
  await until(() => (states.at(-1)?.asked?.every ?? 15) < 15)
})

it('tries the stream again by itself', async () => {
  const { lines, states, until, routes } = await listenTo({
    [events]: (_request, response) => answerJson(response, {}, 500),
    [console]: texts('one'),
  })
  await until(() => states.at(-1)?.state === 'polling')
  routes[events] = (_request, response) =>
    beginEvents(response)('lines', { serverId: 's', lines: [{ id: '1-2', text: 'two' }] })
  await until(() => states.at(-1)?.state === 'live' && lines.includes('two'))
  expect(lines).toEqual(['one', 'two'])
})

it('reads a message without a name by what it holds', async () => {
  let connected = 0
  const { lines, told, states, until } = await listenTo({
    [console]: texts(),
    [events](_request, response) {
      connected++
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      const send = (value: unknown) => response.write(`data: ${JSON.stringify(value)}\n\n`)
      send({ serverId: 's', status: { status: 'online' } })
      send({ type: 'stats', serverId: 's', stats: { cpuPercent: 3 } })
      send({ server_id: 's', lines: [{ id: '1-1', text: 'one' }, { text: 'two' }] })
      send({ tick: 1 })
    },
  })
  await until(() => lines.length === 2 && told.stats.length > 0 && told.status.length > 0)
  expect(lines).toEqual(['one', 'two'])
  expect([connected, states.at(-1)?.state]).toEqual([1, 'live'])
})

it('tells where the events of a stream differ from the contract, below their names and without what they hold', async () => {
  const { drifted, lines, told, until } = await listenTo({
    [console]: texts(),
    [events](_request, response) {
      const send = beginEvents(response)
      send('stats', { serverId: 's', stats: { cpu_percent: '3', memoryBytes: 1 } })
      send('status', 7)
      send('status', { serverId: 's' })
      send('lines', { serverId: 's', lines: [{ id: '1-1', text: 'one', time: 1_790_000_000 }, 2] })
      send('lines', { server_id: 's', lines: [{ id: '1-2', message: 'three' }] })
      response.write(`data: ${JSON.stringify({ type: 'stats', serverId: 's', stats: {} })}\n\n`)
      response.write(`data: ${JSON.stringify({ serverId: 's', lines: [] })}\n\n`)
    },
  })
  await until(
    () =>
      lines.length === 2 &&
      told.stats.length === 2 &&
      drifted.some(({ path, found }) => path === 'event' && found === 'missing'),
  )
  expect(lines).toEqual(['one', 'three'])
  expect(told.stats[0]).toMatchObject({ cpuPercent: 3 })
  const said = drifted
    .filter(({ operation }) => operation === 'console.events')
    .map(({ path, expected, found, as }) => `${path}: ${expected}, ${found}${as ? ` as ${as}` : ''}`)
  expect(said).toEqual([
    'stats.stats.cpuPercent: number, text as cpu_percent',
    'status: object, number',
    'status.status: object, missing',
    'lines.[].time: time, number',
    'lines.[]: object, number',
    'lines.serverId: text, text as server_id',
    'lines.[].text: text, text as message',
    'event: text, text as type',
    'event: text, missing',
  ])
})

it('a stream that ends again and again is tried ever less often', async () => {
  let connected = 0
  const { until, states } = await listenTo({
    [console]: texts('one'),
    [events](_request, response) {
      connected++
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.end('data: {"hello":1}\n\n')
    },
  })
  await until(() => states.at(-1)?.asked?.every === 15)
  // 31 s on the quick clock: twice a second at first would be some 60.
  expect(connected).toBeLessThan(12)
})

it('takes it silently that a server which went off has no statistics, and says it of any other refusal', async () => {
  const { told, until, routes } = await listenTo({
    [console]: texts('one'),
    'GET /servers/stats/s': (_request, response) =>
      answerJson(response, { error: { code: 'server.not-online', message: 'Off.' } }, 409),
  })
  await until(() => told.noStats.length > 1)
  expect(told.noStats.filter(Boolean)).toEqual([])
  routes['GET /servers/stats/s'] = (_request, response) => answerJson(response, {}, 500)
  await until(() => told.noStats.at(-1)?.code === 'service-failed')
})

it('never asks for statistics of a server that is not online', async () => {
  let asked = 0
  const { until, states } = await listenTo(
    {
      [console]: texts('one'),
      'GET /servers/stats/s'(_request, response) {
        asked++
        answerJson(response, {})
      },
    },
    { isOnline: () => false },
  )
  await until(() => states.at(-1)?.asked?.every === 15)
  expect(asked).toBe(0)
})

it('asks for the statistics alone where a stream tells the rest', async () => {
  let histories = 0
  const { told, until, states } = await listenTo({
    [console](_request, response) {
      histories++
      answerJson(response, { items: [{ id: '1-1', text: 'one' }], nextCursor: null })
    },
    'GET /servers/stats/s': stats,
    [events]: (_request, response) =>
      beginEvents(response)('status', { serverId: 's', status: { status: 'online' } }),
  })
  await until(() => states.at(-1)?.state === 'live')
  await until(() => told.stats.length > 0)
  // Before the stream, and once behind it.
  expect(histories).toBe(2)
})

it.each([
  ['is forbidden', 403, 'forbidden'],
  ['fails', 500, 'service-failed'],
  ['is not there', 501, 'unavailable'],
])(
  'says that history cannot be read where it %s, beside a live stream, and reads it once it can',
  async (_what, status, code) => {
    const { lines, told, until, routes, client } = await listenTo({
      [console]: (_request, response) => answerJson(response, {}, status),
      [events]: (_request, response) =>
        beginEvents(response)('status', { serverId: 's', status: { status: 'online' } }),
    })
    await until(() => told.history.at(-1)?.problem?.code === code)
    expect(told.history.at(-1)?.read).toBe(false)
    routes[console] = texts('one')
    client.offered.askAgain()
    await until(() => lines.includes('one'))
    await until(() => told.history.at(-1)?.read === true)
    expect(told.history.at(-1)).toEqual({ read: true, problem: null })
  },
)

it('tells that some lines of history could not be read', async () => {
  const some = [{ id: '1-1', text: 'zero' }, { id: '1-2', said: 'Hello' }, { id: '1-3' }]
  const { lines, until, told } = await listenTo({
    [console]: (_request, response) => answerJson(response, { items: some, nextCursor: null }),
  })
  await until(() => lines.includes('zero'))
  await until(() => told.history.length > 0)
  expect(told.history.at(-1)).toEqual({ read: true, problem: null, leftOut: 2 })
})

it('asks again for a history of which no line could be read', async () => {
  const { lines, until, told, routes } = await listenTo({
    [console]: (_request, response) => answerJson(response, { items: [{ id: '1-1', said: 'Hello' }] }),
  })
  await until(() => told.history.length > 0)
  expect(told.history.at(-1)).toMatchObject({ read: false, problem: { code: 'incompatible' } })
  routes[console] = texts('one')
  await until(() => lines.includes('one'))
  await until(() => told.history.at(-1)?.read === true)
  expect(told.history.at(-1)).toEqual({ read: true, problem: null })
})

it('tells that lines of the stream could not be read where there is no history', async () => {
  const { until, told } = await listenTo({
    [console]: (_request, response) => answerJson(response, {}, 501),
    [events]: (_request, response) =>
      beginEvents(response)('lines', { serverId: 's', lines: [{ id: '1-1', said: 'Hello' }] }),
  })
  await until(() => told.history.at(-1)?.leftOut === 1)
  expect(told.history.at(-1)).toMatchObject({ read: false, problem: { code: 'unavailable' } })
})
