import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { RuntimeStatus } from '../../contract/bridge/values.ts'
import { problemOf } from '../base/problem.ts'
import { openCache } from './cache/cache.ts'
import { scriptedViews } from './cache/view-source.fixture.ts'
import { ViewStore } from './cache/view-store.ts'
import { LiveEvents } from './apply-live-events.ts'
import { ServerTable } from './server-table.ts'

it('reads the folder that is shown again once its server has started, and not when nothing changed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'live-'))
  const cache = await openCache(join(folder, 'cache.db'))
  onTestFinished(async () => {
    await cache.close()
    await rm(folder, { recursive: true })
  })
  const server = { connectionId: 'c', serverId: 's' }
  let read = 0
  let again = Promise.withResolvers<void>()
  const source = scriptedViews({
    'files.list': async () => {
      read += 1
      again.resolve()
      return { items: [], leftOut: [], more: false }
    },
  })
  const root = {
    view: 'files.list' as const,
    connectionId: 'c',
    params: { serverId: 's' },
    query: { path: '' },
  }
  const servers = new ServerTable(Date.now)
  const views = new ViewStore({
    join: (named, value) => servers.join(named, value),
    cache,
    source,
    emit: () => {},
    toProblem: (error) => problemOf('internal', { message: String(error) }),
    now: Date.now,
  })
  const live = new LiveEvents({ views, servers, broadcast: () => {} })
  const status = (value: string): RuntimeStatus => ({ status: value as 'online' })
  live.onStatus(server, status('starting'))
  live.onStatus(server, status('starting'))
  await views.refresh(root)
  await views.read(root)
  expect(read).toBe(1)
  again = Promise.withResolvers()
  live.onStatus(server, status('online'))
  await again.promise
  expect(read).toBe(2)
})

it('shows no players of a run that is over, and those that a status tells at once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'live-'))
  const cache = await openCache(join(folder, 'cache.db'))
  onTestFinished(async () => {
    await cache.close()
    await rm(folder, { recursive: true })
  })
  const server = { connectionId: 'c', serverId: 's' }
  const source = scriptedViews({
    'servers.list': async () => ({
      items: [{ id: 's', name: 'S', status: 'online' }],
      leftOut: [],
      more: false,
    }),
    'servers.read': async () => ({ id: 's', name: 'S', status: 'online' }),
    'servers.status': async () => ({ status: 'online' }),
  })
  const at = { connectionId: 'c', params: { serverId: 's' } }
  const list = { view: 'servers.list' as const, connectionId: 'c' }
  const own = { view: 'servers.read' as const, ...at }
  const statusNow = { view: 'servers.status' as const, ...at }
  let now = 1_000_000
  const servers = new ServerTable(() => now)
  const views = new ViewStore({
    join: (named, value) => servers.join(named, value),
    cache,
    source,
    emit: () => {},
    toProblem: (error) => problemOf('internal', { message: String(error) }),
    now: () => now,
  })
  const live = new LiveEvents({ views, servers, broadcast: () => {} })
  await views.refresh(list)
  await views.refresh(own)
  await views.refresh(statusNow)
  const players = async () => {
    const { value } = await views.read(list)
    return [value?.items[0]?.players, (await views.read(own)).value?.players]
  }
  live.onStatus(server, { status: 'online', players: { online: 3, max: 20 } })
  const three = { online: 3, max: 20 }
  await expect.poll(players).toEqual([three, three])
  live.onStats(server, { cpuPercent: 1, memoryBytes: 1 })
  expect(servers.graphs(server).samples.at(-1)?.players).toBe(3)
  now += 3_600_000
  live.onStatus(server, { status: 'offline' })
  await expect.poll(players).toEqual([null, null])
  // What is told as a whole is as of the moment in which it was told.
  const { asOf } = await views.read(statusNow)
  expect(Date.parse(asOf ?? '')).toBe(now)
})

it('reads the list of players again when somebody came or left, and not when that is told once more', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'live-'))
  const cache = await openCache(join(folder, 'cache.db'))
  onTestFinished(async () => {
    await cache.close()
    await rm(folder, { recursive: true })
  })
  const server = { connectionId: 'c', serverId: 's' }
  const list = { view: 'players.list' as const, connectionId: 'c', params: { serverId: 's' } }
  let again = Promise.withResolvers<void>()
  let read = 0
  const source = scriptedViews({
    'players.list': async () => {
      read += 1
      again.resolve()
      return { items: [], leftOut: [], more: false }
    },
  })
  const servers = new ServerTable(Date.now)
  const views = new ViewStore({
    join: (named, value) => servers.join(named, value),
    cache,
    source,
    emit: () => {},
    toProblem: (error) => problemOf('internal', { message: String(error) }),
    now: Date.now,
  })
  const live = new LiveEvents({ views, servers, broadcast: () => {} })
  live.onPlayers(server, { online: 2 })
  await views.refresh(list)
  await views.read(list)
  live.onPlayers(server, { online: 2 })
  expect(read).toBe(1)
  again = Promise.withResolvers()
  live.onPlayers(server, { online: 3 })
  await again.promise
  expect(read).toBe(2)
})

it('tells windows nothing of a list, or of a server, where a stream tells once more what they know', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'live-'))
  const cache = await openCache(join(folder, 'cache.db'))
  onTestFinished(async () => {
    await cache.close()
    await rm(folder, { recursive: true })
  })
  const server = { connectionId: 'c', serverId: 's' }
  const own = { id: 's', name: 'S', status: 'offline' as const }
  const source = scriptedViews({
    'servers.list': async () => ({ items: [own], leftOut: [], more: false }),
    'servers.read': async () => own,
  })
  const told: string[] = []
  const servers = new ServerTable(Date.now)
  const views = new ViewStore({
    join: (named, value) => servers.join(named, value),
    ...{ cache, source, now: Date.now },
    emit: ({ view }) => told.push(view),
    toProblem: (error) => problemOf('internal', { message: String(error) }),
  })
  const live = new LiveEvents({ views, servers, broadcast: () => {} })
  await views.refresh({ view: 'servers.list', connectionId: 'c' })
  await views.refresh({ view: 'servers.read', connectionId: 'c', params: { serverId: 's' } })
  const say = async (online: number) => {
    told.length = 0
    live.onStatus(server, { status: 'online', players: { online, max: 20 } })
    live.onPlayers(server, { online, max: 20 })
    await views.read({ view: 'servers.status', connectionId: 'c', params: { serverId: 's' } })
    return told
  }
  expect(await say(2)).toEqual(expect.arrayContaining(['servers.status', 'servers.read', 'servers.list']))
  // Its own status is of now again, which whoever shows it says.
  expect(new Set(await say(2))).toEqual(new Set(['servers.status']))
  expect(await say(3)).toEqual(expect.arrayContaining(['servers.read', 'servers.list']))
})
