import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  answerJson,
  beginEvents,
  oddService,
  type OddAnswer,
} from '../../../tests/doubles/services/odd-service.ts'
import type { ConsolePiece, ConsoleState } from '../../contract/bridge/values.ts'
import { ApiClient } from '../api/client.ts'
import { makeDispatcher } from '../api/requests/transport.ts'
import { openCache, type Cache } from '../views/cache/cache.ts'
import { noLog } from '../logging/log.ts'
import { LiveStream } from './live-stream.ts'
import { Pager } from './pager.ts'

let folder: string
let cache: Cache
let service: Awaited<ReturnType<typeof oddService>>
let stream: LiveStream | null
let seen: string[]
let states: ConsoleState[]
let jobs: unknown[]
let gone: number
let notice: () => void

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ id: `1-${from + at}`, text: `line ${from + at}` }))
const range = (from: number, to: number) => lines(from, to).map(({ text }) => text)
const shown = (pieces: ConsolePiece[]) =>
  pieces.flatMap((piece) => (piece.kind === 'lines' ? piece.batch.texts : [`gap ${piece.from} ${piece.to}`]))

/** History that holds lines `first` to `last`. */
const history =
  (first: number, last: number): OddAnswer =>
  (_request, response, url) => {
    const limit = Number(url.searchParams.get('limit') ?? 100)
    const [after, before] = ['after', 'before'].map((name) => url.searchParams.get(name)?.split('-')[1])
    let from = first
    let to = last
    if (after) from = Math.max(first, Number(after) + 1)
    if (after) to = Math.min(last, from + limit - 1)
    if (before) to = Math.min(last, Number(before) - 1)
    if (!after) from = Math.max(first, to - limit + 1)
    answerJson(response, { items: to >= from ? lines(from, to) : [], nextCursor: null })
  }

function listen(): ApiClient {
  const client = new ApiClient({
    baseUrl: service.baseUrl,
    dispatcher: makeDispatcher(),
    token: async () => 'test',
  })
  stream = new LiveStream({
    pace: { times: 1 },
    connectionId: 'c',
    client: () => client,
    cache,
    servers: () => ['s'],
    watched: () => ['s'],
    onPieces: (_server, pieces) => {
      seen.push(...shown(pieces))
      notice()
    },
    shown: () => ['s'],
    readStatus: async () => null,
    isOnline: () => false,
    onHistory: () => {},
    onStatus: () => {},
    onStats: () => {},
    onNoStats: () => {},
    onPlayers: () => {},
    onChanged: () => {},
    onJob: (serverId, { id, state }) => {
      jobs.push([serverId, id, state])
      notice()
    },
    onGone: () => {
      gone++
      notice()
    },
    onLive: ({ state }) => {
      states.push(state)
      notice()
    },
    log: noLog,
  })
  return client
}

/** Resolves when the condition holds, looked at after each thing that arrives. */
const until = (condition: () => boolean) =>
  new Promise<void>((resolve) => {
    notice = () => condition() && resolve()
    notice()
  })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'live-'))
  cache = await openCache(join(folder, 'cache.db'))
  seen = []
  states = []
  jobs = []
  gone = 0
  notice = () => {}
  stream = null
  service = await oddService({
    'GET /users/me': (_request, response) => answerJson(response, { id: 'me' }),
    'GET /servers/console/s': history(1, 10),
  })
})
afterEach(async () => {
  stream?.stop()
  await service.close()
  await cache.close()
  await rm(folder, { recursive: true })
})

it('begins with the newest lines of the service and goes on with the stream behind them', async () => {
  service.routes['GET /servers/events'] = (_request, response, url) => {
    expect(url.searchParams.get('after')).toBe('s:1-10')
    beginEvents(response)('lines', { serverId: 's', lines: lines(11, 12) })
  }
  listen()
  await until(() => seen.length >= 12)
  expect(seen).toEqual(range(1, 12))
})

it('fills a hole in the stream from history', async () => {
  service.routes['GET /servers/events'] = (_request, response) => {
    service.routes['GET /servers/console/s'] = history(1, 30)
    beginEvents(response)('lines', { serverId: 's', lines: lines(21, 22) })
  }
  listen()
  await until(() => seen.includes('line 30'))
  expect(seen).toEqual(range(1, 30))
})

it('shows a gap where history no longer holds what is missing', async () => {
  service.routes['GET /servers/events'] = (_request, response) =>
    beginEvents(response)('lines', { serverId: 's', lines: lines(21, 22) })
  listen()
  await until(() => seen.includes('line 22'))
  expect(seen).toEqual([...range(1, 10), 'gap 1-11 1-20', ...range(21, 22)])
})

it('resumes where the stream broke, without a line twice', async () => {
  const asked: (string | null)[] = []
  const open: ServerResponse[] = []
  service.routes['GET /servers/events'] = (_request, response, url) => {
    asked.push(url.searchParams.get('after'))
    const send = beginEvents(response)
    open.push(response)
    if (asked.length === 1) send('lines', { serverId: 's', lines: lines(11, 15) })
    else send('lines', { serverId: 's', lines: lines(14, 20) })
  }
  listen()
  await until(() => seen.includes('line 15'))
  open[0]?.destroy()
  await until(() => seen.includes('line 20'))
  expect(asked).toEqual(['s:1-10', 's:1-15'])
  expect(seen).toEqual(range(1, 20))
})

it('polls status and history where the service has no event stream', async () => {
  listen()
  await until(() => states.includes('polling') && seen.length >= 10)
  service.routes['GET /servers/console/s'] = history(1, 13)
  await until(() => seen.length >= 13)
  expect(seen).toEqual(range(1, 13))
})

it('pages back beyond a gap that nobody can fill any more, and names it', async () => {
  service.routes['GET /servers/events'] = (_request, response) =>
    beginEvents(response)('lines', { serverId: 's', lines: lines(21, 22) })
  const client = listen()
  await until(() => seen.includes('line 22'))
  const pager = new Pager(cache, () => client)
  service.routes['GET /servers/console/s'] = history(21, 22)
  const page = (before: string) => pager.page({ connectionId: 'c', serverId: 's' }, { before }, 5)
  expect(shown((await page('1-23')).pieces)).toEqual(range(21, 22))
  expect(shown((await page('1-21')).pieces)).toEqual([...range(6, 10), 'gap 1-11 1-20'])
  expect(shown((await page('1-6')).pieces)).toEqual(range(1, 5))
  expect(await page('1-1')).toEqual({ pieces: [], end: true })
})

it('hands on what the stream tells of a job, and passes over one that does not fit', async () => {
  const job = { id: 'j', kind: 'archive', state: 'running', path: 'world.zip', doneBytes: 1 }
  service.routes['GET /servers/events'] = (_request, response) => {
    const send = beginEvents(response)
    send('job', { serverId: 's', job })
    send('job', { serverId: 's', job: { id: 'no path' } })
    send('job', { serverId: 's', job: { ...job, state: 'done' } })
  }
  listen()
  await until(() => jobs.length >= 2)
  expect(jobs).toEqual([
    ['s', 'j', 'running'],
    ['s', 'j', 'done'],
  ])
})

it('goes on where an event is none, and where the history of a console fails', async () => {
  service.routes['GET /servers/console/s'] = (_request, response) => answerJson(response, {}, 500)
  service.routes['GET /servers/events'] = (_request, response) => {
    const send = beginEvents(response)
    response.write('event: lines\ndata: {"serverId":"s","li\n\n')
    send('lines', { serverId: 's', lines: [{ id: 7 }, ...lines(11, 12)] })
  }
  listen()
  await until(() => seen.length >= 2)
  expect(seen).toEqual(range(11, 12))
  expect(states).toEqual(['live'])
})

it('asks for a fresh list where a server that it watched is gone', async () => {
  service.routes['GET /servers/events'] = (_request, response) =>
    answerJson(response, { error: { code: 'server.not-found', message: 'It is gone.' } }, 404)
  listen()
  await until(() => gone > 0)
})

it('asks for status and lines where the stream is forbidden', async () => {
  service.routes['GET /servers/events'] = (_request, response) => answerJson(response, {}, 403)
  listen()
  await until(() => states.includes('polling') && seen.length >= 10)
})

it('does not take the end of what can be had for the beginning of the console', async () => {
  const client = new ApiClient({
    baseUrl: service.baseUrl,
    dispatcher: makeDispatcher(),
    token: async () => 'test',
  })
  const pager = new Pager(cache, () => client)
  const page = () => pager.page({ connectionId: 'c', serverId: 's' }, { before: '1-5' }, 5)
  service.routes['GET /servers/console/s'] = (_request, response) => answerJson(response, {}, 500)
  await expect(page()).rejects.toMatchObject({ problem: { code: 'service-failed' } })
  // What came and cannot be read, or not be placed, may be anything but the end.
  const unknown = [
    { items: [{ id: '1-4', words: 'Hello' }], nextCursor: null },
    { items: [{ id: 'a', text: 'Hello' }], nextCursor: null },
    { items: [], nextCursor: 'x' },
  ]
  for (const body of unknown) {
    service.routes['GET /servers/console/s'] = (_request, response) => answerJson(response, body)
    await expect(page()).rejects.toMatchObject({ problem: { code: 'incompatible' } })
  }
  service.routes['GET /servers/console/s'] = history(1, 4)
  expect(shown((await page()).pieces)).toEqual(range(1, 4))
  service.routes['GET /servers/console/s'] = history(1, 0)
  expect(await pager.page({ connectionId: 'c', serverId: 's' }, { before: '1-1' }, 5)).toEqual({
    pieces: [],
    end: true,
  })
})

it('shows no gap where history stumbles once: the lines come with the next connection', async () => {
  let stumbles = 3
  const whole = history(1, 16)
  service.routes['GET /servers/events'] = (request, response, url) => {
    // Sends what is new alone, whatever it is asked to go on after.
    const send = beginEvents(response)
    if (url.searchParams.get('after') === 's:1-10') {
      service.routes['GET /servers/console/s'] = (...call) =>
        stumbles-- > 0 ? answerJson(call[1], {}, 500) : whole(...call)
      send('lines', { serverId: 's', lines: lines(15, 16) })
    }
    request.on('error', () => {})
  }
  listen()
  await until(() => seen.length >= 16)
  expect(seen).toEqual(range(1, 16))
})
