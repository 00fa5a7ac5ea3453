import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ViewEvent } from '../../../contract/bridge/events.ts'
import type { RuntimeStatus } from '../../../contract/bridge/values.ts'
import { viewKey } from '../../../contract/rules/view-key.ts'
import { softwareViews } from '../../areas/software/views.ts'
import { viewReader } from '../view-reader.ts'
import { PanelProblem, problem, problemOf } from '../../base/problem.ts'
import type { Clock } from '../../base/retry.ts'
import { openCache, type Cache } from './cache.ts'
import { scriptedViews } from './view-source.fixture.ts'
import { ViewStore, type ViewStoreOptions } from './view-store.ts'

let folder: string
let cache: Cache
let answer: () => Promise<RuntimeStatus>
let told: (event: ViewEvent) => void
const server = { view: 'servers.status' as const, connectionId: 'c', params: { serverId: 's' } }
const other = { ...server, params: { serverId: 'other' } }
const status = (value: string): RuntimeStatus => ({ status: value as 'online' })

function open(more: Partial<ViewStoreOptions> = {}): ViewStore {
  return new ViewStore({
    cache,
    source: scriptedViews({ 'servers.status': () => answer() }),
    emit: (event) => told(event),
    toProblem: (error) =>
      error instanceof PanelProblem ? error.problem : problemOf('internal', { message: String(error) }),
    now: Date.now,
    ...more,
  })
}
/** Entries of a folder, as a service lists them. */
const listed = (names: readonly string[]) => ({
  items: names.map((name) => ({ name, kind: 'file' as const })),
  leftOut: [],
  more: false,
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'views-'))
  cache = await openCache(join(folder, 'cache.db'))
  told = () => {}
})
afterEach(async () => {
  await cache.close()
  await rm(folder, { recursive: true })
})

it('a view that goes stale while the disk is slow is read again', async () => {
  answer = async () => status('online')
  const disk = Promise.withResolvers<void>()
  const slow: Cache = {
    ...cache,
    async writeView(...given) {
      await disk.promise
      return cache.writeView(...given)
    },
  }
  const views = open({ cache: slow })
  const first = Promise.withResolvers<void>()
  let last: unknown
  told = (event) => {
    last = event.now.value
    first.resolve()
  }
  const read = views.refresh(server)
  await first.promise
  const again = Promise.withResolvers<void>()
  answer = async () => {
    again.resolve()
    return status('offline')
  }
  await views.markStale(['servers.status'], 'c', 's')
  await again.promise
  disk.resolve()
  await read
  await expect.poll(() => last).toEqual({ status: 'offline' })
})

it('a view that is shown while its service wants to be left alone says so, and is read afterwards', async () => {
  let elapsed = 0
  const pauses: { ms: number; end: () => void }[] = []
  const clock: Clock = {
    now: Date.now,
    elapsed: () => elapsed,
    random: () => 1,
    sleep: (ms) => new Promise((end) => pauses.push({ ms, end })),
  }
  answer = () =>
    Promise.reject(problem('rate-limited', { message: 'Too many requests.' }, { retryAfter: 30 }))
  const views = open({ clock })
  await views.refresh(server)
  expect(await views.read(other, {})).toMatchObject({
    value: null,
    problem: { code: 'rate-limited' },
  })
  answer = async () => status('online')
  const mended = new Promise<ViewEvent>(
    (resolve) => (told = (event) => event.now.value !== null && resolve(event)),
  )
  elapsed += 30_000
  for (const { end } of pauses) end()
  expect((await mended).params).toEqual(other.params)
  await views.close()
})

it('a view that is asked for again while its service wants to be left alone says for how long', async () => {
  let elapsed = 0
  const clock: Clock = {
    now: Date.now,
    elapsed: () => elapsed,
    random: () => 1,
    sleep: () => new Promise(() => {}),
  }
  const views = open({ clock })
  answer = async () => status('online')
  await views.refresh(server)
  let asked = 0
  answer = () => {
    asked++
    return Promise.reject(problem('rate-limited', { message: 'Too many requests.' }, { retryAfter: 30 }))
  }
  await views.refresh({ ...server, params: { serverId: 'other' } })
  await views.markStale(['servers.status'], server.connectionId, server.params.serverId)
  elapsed += 12_400
  for (const again of [false, true]) {
    const told = await views.read(server, {}, again)
    expect(told.problem).toMatchObject({ code: 'rate-limited', retryAfter: 18 })
    expect(told.value).not.toBeNull()
  }
  expect(asked).toBe(1)
  await views.close()
})

it('a view that cannot be saved is answered all the same, and closing ends well', async () => {
  const names = ['a.txt']
  const views = open({ source: scriptedViews({ 'files.list': async () => listed(names) }) })
  await cache.close()
  const root = { ...server, view: 'files.list' as const, query: { path: '/' } }
  expect(await views.refresh(root)).toMatchObject({ problem: null, stale: false })
  names.push('b.txt')
  void views.refresh(root)
  await views.close()
  cache = await openCache(join(folder, 'cache.db'))
})

it('a folder that is shown and could not be read is tried again, also when others were looked at since', async () => {
  const pauses: (() => void)[] = []
  const clock: Clock = {
    now: Date.now,
    elapsed: () => 0,
    random: () => 1,
    sleep: () => new Promise((end) => pauses.push(end)),
  }
  let works = false
  const source = scriptedViews({
    'files.list': async ({ query }) => {
      if (query['path'] === '/shown' && !works) throw problem('service-failed', { message: 'Not now.' })
      return listed([])
    },
  })
  const views = open({ source, clock })
  const folder = (path: string) => ({ ...server, view: 'files.list' as const, query: { path } })
  const shown = folder('/shown')
  await views.read(shown, {})
  await views.refresh(shown)
  for (let other = 0; other < 40; other++) await views.read(folder(`/${other}`), {})
  works = true
  const mended = new Promise<void>((resolve) => {
    told = ({ query, now }) => query['path'] === '/shown' && now.value && resolve()
  })
  for (const end of pauses) end()
  await mended
  await views.close()
})

it.each([
  ['servers.list', '{"itens":[],"leftOut":[]}'],
  ['servers.list', '{"items":[null],"leftOut":[]}'],
  ['servers.list', '{"items":[],"leftOu5":[]}'],
  ['files.trash', '7'],
  ['software.list', '[]'],
  ['software.list', '{"items":[{"id":"paper"}],"leftOut":[],"more":false}'],
  ['files.list', '{"items":{},"leftOut":[],"more":false}'],
  ['servers.read', '"a"'],
] as const)('a view of the disk that has another shape is none: %s %s', async (view, value) => {
  const named = { view, connectionId: 'c', params: { serverId: 's' } }
  await cache.writeView(viewKey(named), 'c', 's', { value, asOf: '2026-11-20T12:00:00Z' })
  const { isShaped } = viewReader(
    () => Promise.reject(new Error('There is no service.')) as never,
    softwareViews,
  )
  const views = open({
    source: {
      ...scriptedViews({ [view]: () => Promise.reject(problem('offline', { message: 'no network' })) }),
      isShaped,
    },
  })
  expect((await views.read(named)).value).toBeNull()
  await views.close()
})
