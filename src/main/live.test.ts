import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { RuntimeStatus } from '../contract/bridge/values.ts'
import { problemOf } from './api/problem.ts'
import { openCache } from './cache/cache.ts'
import { ViewStore, type ViewSources } from './cache/view-store.ts'
import { Samples } from './console/samples.ts'
import { createLive } from './live.ts'

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
  const sources = {
    folder: async () => {
      read += 1
      again.resolve()
      return { entries: [], leftOut: [] }
    },
  } as unknown as ViewSources
  const views = new ViewStore({
    cache,
    sources,
    emit: () => {},
    toProblem: (error) => problemOf('internal', { message: String(error) }),
    now: Date.now,
  })
  const live = createLive({ views, samples: new Samples(Date.now), broadcast: () => {} })
  const status = (value: string): RuntimeStatus => ({ status: value as 'online' })
  live.onStatus(server, status('starting'))
  live.onStatus(server, status('starting'))
  await views.refresh('folder', { ...server, path: '' })
  await views.read('folder', { ...server, path: '' })
  expect(read).toBe(1)
  again = Promise.withResolvers()
  live.onStatus(server, status('online'))
  await again.promise
  expect(read).toBe(2)
})
