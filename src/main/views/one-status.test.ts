import type { ServerResponse } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { answerJson, beginEvents } from '../../../tests/doubles/services/odd-service.ts'
import type { ViewEvent } from '../../contract/bridge/events.ts'
import { problemOf } from '../base/problem.ts'
import { openCache } from './cache/cache.ts'
import { scriptedViews } from './cache/view-source.fixture.ts'
import { ViewStore } from './cache/view-store.ts'
import { panelAt } from '../panel/panel.fixture.ts'
import { ServerTable } from './server-table.ts'

const server = (status: string) => ({ id: 'a', name: 'Lighthouse', status })
type Wait = Promise<unknown> | null

/** A panel at a service whose stream is silent, and whose reads tell what the test says, once they may. */
async function silent() {
  const says = { list: 'online', own: 'online', status: 'online' }
  const waits: { own: Wait; status: Wait } = { own: null, status: null }
  const asked = { own: 0, status: 0 }
  const reads = async (name: 'own' | 'status', response: ServerResponse, answer: () => object) => {
    asked[name]++
    await waits[name]
    answerJson(response, answer())
  }
  const panel = await panelAt({
    'GET /servers/events': (_request, response) => void beginEvents(response),
    'GET /servers': (_request, response) => answerJson(response, { items: [server(says.list)] }),
    'GET /servers/a': (_request, response) => reads('own', response, () => server(says.own)),
    'GET /servers/status/a': (_request, response) =>
      reads('status', response, () => ({ status: says.status })),
  })
  const { view, until, seen, connectionId } = panel
  const at = { connectionId, params: { serverId: 'a' } }
  await view('servers.list', { connectionId })
  await until('view', ({ view, now }) => view === 'servers.list' && now.value !== null)
  /** What each view that tells the status was last told to the window to say. */
  const shown = () => {
    const last = (name: string) =>
      seen.findLast(({ event, value }) => event === 'view' && (value as ViewEvent).view === name)
    const valueOf = (name: string) => (last(name)?.value as ViewEvent | undefined)?.now.value
    const [one] = (valueOf('servers.list') as { items: object[] }).items
    return [valueOf('servers.read'), valueOf('servers.status'), one].map(
      (value) => (value as { status?: unknown } | undefined)?.status,
    )
  }
  return { ...panel, at, says, waits, asked, shown }
}

test('what a server’s own read tells of its status is shown wherever the status is', async () => {
  const { view, at, says, shown } = await silent()
  await view('servers.read', at, true)
  says.status = 'starting'
  await view('servers.status', at, true)
  expect(shown()).toEqual(['starting', 'starting', 'starting'])
  await view('servers.read', at, true)
  expect(shown()).toEqual(['online', 'online', 'online'])
})

test('a status that was asked for before another read told a newer one is not shown beside that', async () => {
  const { view, at, says, waits, asked, shown } = await silent()
  const gate = Promise.withResolvers<void>()
  waits.status = gate.promise
  says.status = 'starting'
  const read = view('servers.status', at, true)
  await expect.poll(() => asked.status).toBe(1)
  await view('servers.read', at, true)
  gate.resolve()
  await read
  expect(shown()).toEqual(['online', 'online', 'online'])
})

test('a status that is told while the server is read stands against the older answer, and what a start changes beside it is asked for once more', async () => {
  const { view, at, says, waits, asked, shown } = await silent()
  await view('servers.read', at, true)
  const older = Promise.withResolvers<void>()
  waits.own = older.promise
  const read = view('servers.read', at, true)
  await expect.poll(() => asked.own).toBe(2)
  const newer = Promise.withResolvers<void>()
  waits.own = newer.promise
  says.status = 'starting'
  await view('servers.status', at, true)
  older.resolve()
  await expect.poll(() => asked.own).toBe(3)
  expect(shown()).toEqual(['starting', 'starting', 'starting'])
  says.own = 'starting'
  newer.resolve()
  await read
  expect(asked.own).toBe(3)
  expect(shown()).toEqual(['starting', 'starting', 'starting'])
})

test('what the disk kept of a status does not stand against what was told in this run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'one-status-'))
  const cache = await openCache(join(folder, 'cache.db'))
  onTestFinished(async () => {
    await cache.close()
    await rm(folder, { recursive: true })
  })
  const at = { connectionId: 'c', params: { serverId: 'a' } }
  const run = (status: string, own: () => Promise<unknown>) => {
    const servers = new ServerTable(Date.now)
    const source = servers.reading(
      scriptedViews({
        'servers.list': async () => ({ items: [server(status)], leftOut: [], more: false }),
        'servers.read': own,
        'servers.status': own,
      }),
      () => {},
    )
    return new ViewStore({
      ...{ cache, source, emit: () => {}, now: Date.now },
      toProblem: (error) => problemOf('internal', { message: String(error) }),
      join: (named, value) => servers.join(named, value),
    })
  }
  const last = run('offline', async () => server('offline'))
  await last.refresh({ view: 'servers.read', ...at })
  await last.refresh({ view: 'servers.status', ...at })
  await last.close()

  const never = new Promise<never>(() => {})
  const now = run('online', () => never)
  await now.refresh({ view: 'servers.list', connectionId: 'c' })
  expect((await now.read({ view: 'servers.read', ...at })).value?.status).toBe('online')
  expect((await now.read({ view: 'servers.status', ...at })).value?.status).toBe('online')
})
