import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ViewEvent } from '../../contract/bridge/events.ts'
import type { RuntimeStatus } from '../../contract/bridge/values.ts'
import { PanelProblem, problem, problemOf } from '../api/problem.ts'
import type { Clock } from '../api/retry.ts'
import { openCache, type Cache } from './cache.ts'
import { viewKey } from './view-key.ts'
import { ViewStore, type ViewSources, type ViewStoreOptions } from './view-store.ts'

let folder: string
let cache: Cache
let answer: () => Promise<RuntimeStatus>
let told: (event: ViewEvent) => void
const server = { connectionId: 'c', serverId: 's' }
const status = (value: string): RuntimeStatus => ({ status: value as 'online' })

function open(more: Partial<ViewStoreOptions> = {}): ViewStore {
  return new ViewStore({
    cache,
    sources: { status: () => answer() } as unknown as ViewSources,
    emit: (event) => told(event),
    toProblem: (error) =>
      error instanceof PanelProblem ? error.problem : problemOf('internal', { message: String(error) }),
    now: Date.now,
    ...more,
  })
}
/** Entries of a folder, as a service lists them. */
const listed = (path: string, names: readonly string[]) => ({
  path,
  entries: names.map((name) => ({ name, kind: 'file' as const })),
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
  await views.refresh('status', server)
  const other = { ...server, serverId: 'other' }
  expect(await views.read('status', other, {})).toMatchObject({
    value: null,
    problem: { code: 'rate-limited' },
  })
  answer = async () => status('online')
  const mended = new Promise<ViewEvent>(
    (resolve) => (told = (event) => event.now.value !== null && resolve(event)),
  )
  elapsed += 30_000
  for (const { end } of pauses) end()
  expect((await mended).input).toEqual(other)
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
  await views.refresh('status', server)
  answer = () =>
    Promise.reject(problem('rate-limited', { message: 'Too many requests.' }, { retryAfter: 30 }))
  await views.refresh('status', { ...server, serverId: 'other' })
  await views.markStale(['status'], server.connectionId, server.serverId)
  elapsed += 12_400
  const told = await views.read('status', server, {})
  expect(told.problem).toMatchObject({ code: 'rate-limited', retryAfter: 18 })
  expect(told.value).not.toBeNull()
  await views.close()
})

it('a view that cannot be saved is answered all the same, and closing ends well', async () => {
  const names = ['a.txt']
  const sources = {
    folder: async ({ path }: { path: string }) => listed(path, names),
  } as unknown as ViewSources
  const views = open({ sources })
  await cache.close()
  const root = { ...server, path: '/' }
  expect(await views.refresh('folder', root)).toMatchObject({ problem: null, stale: false })
  names.push('b.txt')
  void views.refresh('folder', root)
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
  const sources = {
    folder: async ({ path }: { path: string }) => {
      if (path === '/shown' && !works) throw problem('service-failed', { message: 'Not now.' })
      return listed(path, [])
    },
  } as unknown as ViewSources
  const views = open({ sources, clock })
  const shown = { ...server, path: '/shown' }
  await views.read('folder', shown, {})
  await views.refresh('folder', shown)
  for (let other = 0; other < 40; other++) await views.read('folder', { ...server, path: `/${other}` }, {})
  works = true
  const mended = new Promise<void>((resolve) => {
    told = ({ input, now }) => 'path' in input && input.path === '/shown' && now.value && resolve()
  })
  for (const end of pauses) end()
  await mended
  await views.close()
})

it.each([
  ['servers', '{"itens":[],"leftOut":[]}'],
  ['servers', '{"items":[null],"leftOut":[]}'],
  ['servers', '{"items":[],"leftOu5":[]}'],
  ['trash', '7'],
  ['software', '[]'],
  ['folder', '{"path":"/","entries":{},"leftOut":[],"more":false}'],
  ['server', '"a"'],
] as const)('a view of the disk that has another shape is none: %s %s', async (kind, value) => {
  const input = { ...server, ...(kind === 'folder' && { path: '/' }) }
  await cache.writeView(viewKey(kind, input), 'c', 's', { value, asOf: '2026-11-20T12:00:00Z' })
  const views = open({
    sources: { [kind]: () => Promise.reject(problem('offline', { message: 'no network' })) } as never,
  })
  expect((await views.read(kind, input as never)).value).toBeNull()
  await views.close()
})
