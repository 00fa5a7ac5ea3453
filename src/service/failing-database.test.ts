import { readFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { inContainers, startTestService, temporaryFolder } from './service.fixture.ts'

test('a database that another program holds is named as the reason, what needs only reading goes on, and so does all once it is free', async () => {
  const dataDir = await temporaryFolder()
  const service = await startTestService({ dataDir })
  const token = await service.account('ann@example.org')
  const change = () =>
    service.call('PATCH /users/me', { token, body: { name: 'Anna' } }).then(({ status, body }) => ({
      ...{ status, code: body?.error?.code },
    }))
  using database = new DatabaseSync(path.join(dataDir, 'service.db'))
  database.exec('BEGIN IMMEDIATE')
  expect(await change()).toEqual({ status: 503, code: 'service.data-busy' })
  expect((await service.call('GET /users/me', { token })).body.name).toBe('Ann')
  database.exec('COMMIT')
  expect(await change()).toEqual({ status: 200, code: undefined })
})

// Its process is killed by the service's own record of it.
test.skipIf(inContainers)(
  'while the database fails, a server that crashes is started again, and who stops it is answered',
  async () => {
    const dataDir = await temporaryFolder()
    const service = await startTestService({ dataDir })
    const token = await service.account('ann@example.org')
    const ask = (route: string, body?: unknown, headers = {}) => service.call(route, { token, body, headers })
    const version = (await ask('GET /software/demo/versions')).body.items[0].id
    const software = { id: 'demo', version }
    const { id } = (await ask('POST /servers', { name: 'Mine', software, memoryMb: 512 })).body
    const status = async () => (await ask(`GET /servers/status/${id}`)).body.status
    await ask(`PATCH /servers/config/${id}`, { autoRestart: true }, { 'If-Match': '*' })
    await ask(`POST /servers/power/${id}`, { action: 'start' })
    await expect.poll(status).toBe('online')

    using database = new DatabaseSync(path.join(dataDir, 'service.db'))
    database.exec('ALTER TABLE members RENAME TO others')
    const { pid } = JSON.parse(readFileSync(path.join(dataDir, 'run', `${id}.json`), 'utf8')) as {
      pid: number
    }
    process.kill(pid, 'SIGKILL')
    const lines = async () =>
      (await ask(`GET /servers/console/${id}`)).body.items.map(({ text }: { text: string }) => text)
    await expect.poll(lines).toContain('Restarting the server automatically (1 of 3 in 10 minutes).')
    await expect.poll(status).toBe('online')
    expect((await ask(`POST /servers/power/${id}`, { action: 'stop' })).status).toBe(202)
    await expect.poll(status).toBe('offline')
    database.exec('ALTER TABLE others RENAME TO members')
    expect((await ask(`GET /servers/access/${id}`)).status).toBe(200)
  },
)
