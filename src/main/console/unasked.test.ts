import { DatabaseSync } from 'node:sqlite'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answerJson, beginEvents } from '../../../tests/doubles/services/odd-service.ts'
import { panelAt } from '../panel/panel.fixture.ts'

const events = 'GET /servers/events'
const INVENTED = 1500

/** A panel at a service with one server, whose event stream is in the test's hand. */
async function streamed() {
  const begun = Promise.withResolvers<ReturnType<typeof beginEvents>>()
  const jobsAsked: string[] = []
  const panel = await panelAt({
    'GET /servers': (_request, response) =>
      answerJson(response, { items: [{ id: 'a', name: 'A', status: 'online' }], nextCursor: null }),
    'GET /servers/console/a': (_request, response) => answerJson(response, { items: [], nextCursor: null }),
    [events]: (_request, response) => begun.resolve(beginEvents(response)),
    '*': (request, response) => {
      if (request.url?.includes('/files/jobs/')) jobsAsked.push(request.url)
      answerJson(response, {}, 404)
    },
  })
  await panel.view('servers.list', { connectionId: panel.connectionId })
  return { ...panel, jobsAsked, tell: await begun.promise }
}

const lines = Array.from({ length: 20 }, (_none, at) => ({ id: `1-${at + 1}`, text: 'x'.repeat(500) }))

test('a service that tells of 1,500 servers nobody asked for leaves nothing of them, in memory or on the disk', async () => {
  const { tell, until, call, seen, panel, folder, connectionId } = await streamed()
  for (let at = 0; at < INVENTED; at++) {
    const serverId = `nobody-${at}`
    tell('status', { serverId, status: { status: 'online' } })
    tell('stats', { serverId, stats: { cpuPercent: 1, memoryBytes: 1 } })
    tell('players', { serverId, players: { online: 1 } })
    tell('lines', { serverId, lines })
    tell('gap', { serverId, from: null, to: '1-9' })
    tell('job', { serverId, job: { id: `j-${at}`, kind: 'archive', state: 'running', path: 'a.zip' } })
  }
  // Of a server that is known but whose console nobody watches: its lines were not asked for.
  tell('lines', { serverId: 'a', lines })
  tell('status', { serverId: 'a', status: { status: 'offline' } })
  await until('mark', ({ serverId }) => serverId === 'a')
  const told = seen.filter(({ value }) => JSON.stringify(value).includes('nobody-'))
  expect(told).toEqual([])
  const graphs = await call('servers.samples', { connectionId, serverId: 'nobody-1' })
  expect(graphs.samples).toEqual([])

  await panel.close()
  const db = new DatabaseSync(join(folder, 'cache.db'), { readOnly: true })
  const count = (sql: string) => (db.prepare(sql).get() as { n: number }).n
  expect(count("SELECT count(*) AS n FROM views WHERE server_id LIKE 'nobody-%'")).toBe(0)
  expect(count('SELECT count(*) AS n FROM lines')).toBe(0)
  db.close()
  const bytes = readdirSync(folder)
    .filter((name) => name.startsWith('cache.db'))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  expect(bytes).toBeLessThan(1024 * 1024)
})
