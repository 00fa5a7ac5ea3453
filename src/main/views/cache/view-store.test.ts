import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ViewEvent } from '../../../contract/bridge/events.ts'
import type { RuntimeStatus } from '../../../contract/bridge/values.ts'
import { viewKey } from '../../../contract/rules/view-key.ts'
import { PanelProblem, problem, problemOf } from '../../base/problem.ts'
import type { Clock } from '../../base/retry.ts'
import { openCache, type Cache } from './cache.ts'
import { scriptedViews } from './view-source.fixture.ts'
import { ViewStore, type ViewStoreOptions } from './view-store.ts'

let folder: string
let cache: Cache
let events: ViewEvent[]
let answer: () => Promise<RuntimeStatus>
let told: (event: ViewEvent) => void
const server = { view: 'servers.status' as const, connectionId: 'c', params: { serverId: 's' } }
const other = { ...server, params: { serverId: 'other' } }
const status = (value: string): RuntimeStatus => ({ status: value as 'online' })

let now: number
/** Those of this test: what one reads again later must not ask in the next. */
let opened: ViewStore[]

function open(more: Partial<ViewStoreOptions> = {}): ViewStore {
  const source = scriptedViews({ 'servers.status': () => answer() })
  const views = new ViewStore({
    cache,
    source,
    emit: (event) => {
      events.push(event)
      told(event)
    },
    toProblem: (error) =>
      error instanceof PanelProblem ? error.problem : problemOf('internal', { message: String(error) }),
    now: () => now,
    ...more,
  })
  opened.push(views)
  return views
}

beforeEach(async () => {
  now = Date.parse('2026-11-20T12:00:00Z')
  folder = await mkdtemp(join(tmpdir(), 'views-'))
  cache = await openCache(join(folder, 'cache.db'))
  events = []
  told = () => {}
  opened = []
})
afterEach(async () => {
  for (const views of opened) await views.close()
  await cache.close()
  await rm(folder, { recursive: true })
})

it('answers nothing at first, then tells of the value that was read behind', async () => {
  answer = async () => status('online')
  const views = open()
  expect((await views.read(server)).value).toBeNull()
  await views.refresh(server)
  expect(events.at(-1)?.now).toEqual({
    value: { status: 'online' },
    asOf: '2026-11-20T12:00:00.000Z',
    stale: false,
    problem: null,
  })
})

it('answers from the disk after a restart, stale until it was read again', async () => {
  answer = async () => status('online')
  await open().refresh(server)
  answer = () => Promise.reject(problem('offline', { message: 'no network' }))
  const reopened = open()
  expect(await reopened.read(server)).toMatchObject({ value: { status: 'online' }, stale: true })
})

it('is read again where the clock was set back, and nobody knows how old it is', async () => {
  answer = async () => status('online')
  const views = open()
  await views.refresh(server)
  answer = async () => status('offline')
  now -= 30 * 24 * 60 * 60 * 1000
  await views.read(server)
  await expect.poll(() => events.at(-1)?.now.value).toEqual({ status: 'offline' })
})

it('keeps the value and tells why when a refresh fails', async () => {
  answer = async () => status('online')
  const views = open()
  await views.refresh(server)
  answer = () => Promise.reject(problem('offline', { message: 'no network' }))
  expect(await views.refresh(server)).toMatchObject({
    value: { status: 'online' },
    stale: true,
    problem: { code: 'offline' },
  })
})

it('asks the service once for readers that come together', async () => {
  let asked = 0
  answer = async () => {
    asked++
    return status('online')
  }
  const views = open()
  await Promise.all([views.refresh(server), views.refresh(server)])
  expect(asked).toBe(1)
})

it('reads again what a mutation made stale while an older answer was on its way', async () => {
  const answers: ((value: RuntimeStatus) => void)[] = []
  let asked: () => void = () => {}
  answer = () =>
    new Promise((resolve) => {
      answers.push(resolve)
      asked()
    })
  const next = () => new Promise<void>((resolve) => (asked = resolve))
  const views = open()
  const first = next()
  const refreshed = views.refresh(server)
  await first
  await views.markStale(['servers.status'], 'c', 's')
  const second = next()
  answers[0]?.(status('online'))
  await second
  answers[1]?.(status('stopping'))
  await refreshed
  expect(events.at(-1)?.now.value).toEqual({ status: 'stopping' })
  expect(events.some((event) => (event.now.value as RuntimeStatus | null)?.status === 'online')).toBe(false)
})

it('leaves views of other servers alone when one is marked stale', async () => {
  let asked = 0
  answer = async () => {
    asked++
    return status('online')
  }
  const views = open()
  await views.refresh(server)
  await views.markStale(['servers.status'], 'c', 'another')
  expect(asked).toBe(1)
})

it('does not bring a forgotten view back to the disk', async () => {
  let finish: (value: RuntimeStatus) => void = () => {}
  let asked: () => void = () => {}
  const begun = new Promise<void>((resolve) => (asked = resolve))
  answer = () =>
    new Promise((resolve) => {
      finish = resolve
      asked()
    })
  const views = open()
  const refreshed = views.refresh(server)
  await begun
  await views.forget('c')
  await cache.wipe('c')
  finish(status('online'))
  await refreshed
  answer = () => Promise.reject(problem('offline', { message: 'no network' }))
  expect((await open().read(server)).value).toBeNull()
})

it('takes a view that is damaged on the disk for none, and goes on with all others', async () => {
  await cache.writeView(viewKey(server), 'c', 's', { value: '{"status":', asOf: '2026-11-20T12:00:00Z' })
  answer = () => Promise.reject(problem('offline', { message: 'no network' }))
  const views = open()
  expect((await views.read(server)).value).toBeNull()
  answer = async () => status('online')
  expect((await views.refresh(other)).value).toEqual({
    status: 'online',
  })
  await views.markStale(['servers.status'], 'c')
  await views.forget('c')
  await views.close()
})

it('tries again what somebody looks at and could not be read, until nobody does', async () => {
  const pauses: (() => void)[] = []
  let paused = Promise.withResolvers<void>()
  const clock: Clock = {
    now: Date.now,
    elapsed: () => performance.now(),
    random: () => 1,
    sleep: () =>
      new Promise((resolve) => {
        pauses.push(resolve)
        paused.resolve()
      }),
  }
  const pass = async () => {
    await paused.promise
    paused = Promise.withResolvers()
    pauses.shift()?.()
  }
  let asked = 0
  answer = () => Promise.reject(problem('service-failed', { message: `It failed ${++asked} times.` }))
  const views = open({ clock })
  const window = {}
  await views.read(server, window)
  await pass()
  await pass()
  await paused.promise
  expect(asked).toBe(3)
  answer = async () => status('online')
  const mended = new Promise<ViewEvent>(
    (resolve) => (told = (event) => event.now.problem === null && resolve(event)),
  )
  await pass()
  expect((await mended).now).toMatchObject({ value: { status: 'online' }, stale: false })
  await views.refresh(server)
  answer = () => Promise.reject(problem('service-failed', { message: `It failed ${++asked} times.` }))
  await views.refresh(server)
  views.leave(server, window)
  await pass()
  await views.refresh(other)
  // The one that was left was not asked for again: what failed since is the other.
  expect(asked).toBe(5)
  await views.close()
})

describe('folders', () => {
  const named = (path: string, serverId = 's') => ({
    view: 'files.list' as const,
    connectionId: 'c',
    params: { serverId },
    query: { path },
  })
  let asked: string[]
  let told: () => void

  /** A store whose folders hold what `answers` says, and which writes down what it was asked for. */
  function openFolders(names: string[] = ['a.txt']): ViewStore {
    asked = []
    const source = scriptedViews({
      'files.list': async ({ params, query }) => {
        asked.push(`${params['serverId']}:${String(query['path'])}`)
        const items = [...names, `in ${String(query['path'])}`]
        return { items: items.map((name) => ({ name, kind: 'file' })), leftOut: [], more: false }
      },
    })
    return new ViewStore({
      cache,
      source,
      emit: (event) => {
        events.push(event)
        told()
      },
      toProblem: (error) => problemOf('internal', { message: String(error) }),
      now: Date.now,
    })
  }
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      told = () => condition() && resolve()
      told()
    })
  beforeEach(() => {
    told = () => {}
  })

  it('are views of their own, told with their path', async () => {
    const views = openFolders()
    await views.refresh(named('logs'))
    await views.refresh(named(''))
    expect(events.map(({ query }) => query)).toEqual([{ path: 'logs' }, { path: '' }])
    const again = openFolders()
    expect((await again.read(named('logs'))).value).toMatchObject({ items: [{}, { name: 'in logs' }] })
    expect((await again.read(named('elsewhere'))).value).toBeNull()
  })

  it('that were only shown are on the disk when the store has closed', async () => {
    const views = openFolders()
    await views.read(named('logs'))
    await until(() => events.some(({ now }) => now.value !== null))
    await views.close()
    expect((await openFolders().read(named('logs'))).value).toMatchObject({
      items: [{}, { name: 'in logs' }],
    })
  })

  it('go stale together when files of their server change; only those shown lately are read again', async () => {
    const views = openFolders()
    const paths = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const path of paths) {
      await views.read(named(path))
      await views.refresh(named(path))
    }
    await views.refresh(named('a', 'other'))
    asked = []
    const begin = events.length
    await views.markStale(['files.list'], 'c', 's')
    await until(() => events.length >= begin + 4)
    expect(asked.sort()).toEqual(['s:c', 's:d', 's:e', 's:f'])
    expect(await views.read(named('a'))).toMatchObject({ stale: true })
    await until(() => asked.includes('s:a'))
    expect(asked).not.toContain('other:a')
  })

  it('are let go of in memory when many were shown, and answered from the disk again', async () => {
    const views = openFolders()
    for (let at = 0; at < 40; at++) {
      await views.read(named(`f${at}`))
      await views.refresh(named(`f${at}`))
    }
    expect(await views.read(named('f39'))).toMatchObject({ stale: false })
    // What comes from the disk is old until it was read again.
    expect(await views.read(named('f0'))).toMatchObject({
      stale: true,
      value: { items: [{}, { name: 'in f0' }] },
    })
  })

  it('are let go of in memory when they are large, but for those shown lately', async () => {
    const views = openFolders(Array.from({ length: 9000 }, (_, at) => `${at}.txt`))
    for (const path of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      await views.read(named(path))
      await views.refresh(named(path))
    }
    const held = async (path: string) => !(await views.read(named(path))).stale
    expect(await Promise.all(['d', 'e', 'f', 'g'].map(held))).toEqual([true, true, true, true])
    expect(await Promise.all(['a', 'b', 'c'].map(held))).toEqual([false, false, false])
  })

  it('are kept on disk as far as they are few and small, the newest first', async () => {
    const write = (key: string, at: number, value: string) =>
      cache.writeView(key, 'c', 's', { value, asOf: new Date(at * 1000).toISOString() }, true)
    await cache.writeView('status', 'c', 's', { value: '{}', asOf: new Date(0).toISOString() })
    for (let at = 0; at < 301; at++) await write(`f${at}`, at, '[]')
    expect(await cache.readView('f0')).toBeNull()
    expect(await cache.readView('f1')).not.toBeNull()
    const large = JSON.stringify('x'.repeat(12 << 20))
    for (const at of [401, 402, 403]) await write(`f${at}`, at, large)
    expect(await cache.readView('f401')).toBeNull()
    expect(await cache.readView('f403')).not.toBeNull()
    expect(await cache.readView('f300')).toBeNull()
    // One that is larger than all may be is still the one that is shown.
    await write('huge', 500, JSON.stringify('x'.repeat(40 << 20)))
    expect(await cache.readView('huge')).not.toBeNull()
    expect(await cache.readView('status')).not.toBeNull()
  })
})
