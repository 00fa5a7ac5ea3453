import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { answerJson, oddService, type OddAnswer } from '../../tests/fixtures/odd-service.ts'
import { createPanel } from './panel.ts'
import { openWindow, testPorts } from './panel.fixture.ts'

const item = (id: string) => ({ id, name: `Server ${id}`, status: 'offline' })

/** A panel that is signed in at a service which answers as the test says. */
async function panelAt(routes: Record<string, OddAnswer>) {
  const folder = await mkdtemp(join(tmpdir(), 'failed-reads-'))
  const service = await oddService({
    'GET /users/me': (_request, response) => answerJson(response, { id: 'u', name: 'Ann' }),
    'POST /servers/power/a': (_request, response) => answerJson(response, { accepted: true }, 202),
    ...routes,
  })
  const panel = await createPanel(testPorts(folder))
  onTestFinished(async () => {
    await panel.close()
    await service.close()
    await rm(folder, { recursive: true })
  })
  const window = openWindow(panel)
  const { id } = await window.call('connections.use-token', { baseUrl: service.baseUrl, token: 'good' })
  return { ...window, panel, folder, connectionId: id, routes: service.routes }
}

test.each([
  ['an internal error', 500, {}],
  ['a 404 of something that is offered', 404, { error: { code: 'server.not-found', message: 'Gone.' } }],
] as const)('a list that failed by %s is read again by itself', async (_what, status, body) => {
  const list: OddAnswer = (_request, response) =>
    answerJson(response, { items: [item('a')], nextCursor: null })
  const { call, until, connectionId, routes, seen } = await panelAt({ 'GET /servers': list })
  await call('view.servers', { connectionId })
  await until('view', ({ view, now }) => view === 'servers' && now.value !== null)
  routes['GET /servers'] = (_request, response) => answerJson(response, body, status)
  const begin = seen.length
  // What changes a server makes the list old.
  await call('servers.power', { connectionId, serverId: 'a', action: 'start' })
  const failed = await until('view', ({ view, now }) => view === 'servers' && now.problem !== null, begin)
  expect(failed.now.problem).toMatchObject({ code: 'service-failed', retryable: true })
  const since = seen.length
  routes['GET /servers'] = list
  const mended = await until('view', ({ view, now }) => view === 'servers' && now.problem === null, since)
  expect(mended.now).toMatchObject({ stale: false, value: { items: [{ id: 'a' }] } })
})
