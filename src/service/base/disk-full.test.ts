import { BOUNDS } from '../http/limits/bounds.ts'
import { RequestLimiter } from '../http/limits/request-limiter.ts'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { NO_DISK } from '../../../tests/faults/small-disk.ts'
import { BASE_PATH, servedOperations } from '../../contract/areas/index.ts'
import { createLocalSecret } from '../hosting/accounts/local-secret.ts'
import { systemClock } from './clock.ts'
import { InFlight } from '../http/in-flight.ts'
import { createHono } from '../http/http.ts'
import { smallDisk } from '../small-disk.fixture.ts'
import { inContainers, PASSWORD, startTestService, temporaryFolder, type Answer } from '../service.fixture.ts'

const email = 'ann@example.org'

describe('what fails because the disk is full', () => {
  /** Answers of an operation that throws this. */
  async function answerTo(error: unknown) {
    const fail = () => {
      throw error
    }
    const hono = createHono({
      handlers: new Map(servedOperations.map((op) => [op.id, fail])),
      log: pino({ enabled: false }),
      phase: () => 'running',
      authenticate: () => ({ accountId: 'me', tokenHash: '' }),
      askSecondFactor: async () => {},
      below: new Map([['files.upload', { answer: fail, options: {} }]]),
      access: { byId: fail, held: fail, isGoing: () => false },
      gates: new RequestLimiter(BOUNDS, () => 0),
      inFlight: new InFlight(),
      wrote: () => {},
    })
    const answer = await hono.request(`${BASE_PATH}/users/me`, { headers: { Authorization: 'Bearer x' } }, {})
    const { error: body } = (await answer.json()) as { error: { code: string; message: string } }
    return { status: answer.status, ...body }
  }
  const full = {
    status: 507,
    code: 'service.disk-full',
    message: expect.stringContaining('Free up space on it'),
  }

  test('in the database', async () => {
    const db = new DatabaseSync(path.join(await temporaryFolder(), 'small.db'))
    onTestFinished(() => db.close())
    db.exec('PRAGMA max_page_count = 2; CREATE TABLE t (x)')
    let error: unknown
    try {
      for (;;) db.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(1000))
    } catch (thrown) {
      error = thrown
    }
    expect(await answerTo(error)).toMatchObject(full)
  })

  test.each(['ENOSPC', 'EDQUOT'])('in a file (%s), also as the cause of another error', async (code) => {
    const error = Object.assign(new Error(code), { code })
    expect(await answerTo(error)).toMatchObject(full)
    expect(await answerTo(new Error('That did not work', { cause: error }))).toMatchObject(full)
  })

  test('and nothing else is called so', async () => {
    expect(await answerTo(new Error('anything'))).toMatchObject({ status: 500, code: 'service.failed' })
    expect(await answerTo(Object.assign(new Error('EIO'), { code: 'EIO' }))).toMatchObject({ status: 500 })
  })
})

/** A service whose data folder is a small disk of its own; null where there can be none. */
async function serviceOnSmallDisk() {
  const disk = await smallDisk(160)
  if (!disk) return null
  const localSecret = createLocalSecret(systemClock)
  const started = await startTestService({ dataDir: path.join(disk.folder, 'data'), localSecret })
  return { ...started, disk, localSecret }
}

// The record of a process is what finds no room.
test.skipIf(inContainers)(
  'a full disk is said with 507, nothing half done is left, and all goes on once there is room',
  async (context) => {
    const opened = await serviceOnSmallDisk()
    if (!opened) return context.skip(NO_DISK)
    const { call, disk, localSecret } = opened
    const token = await opened.account(email)
    const versions = await call('GET /software/demo/versions', { token })
    const software = { id: 'demo', version: versions.body.items[0].id as string }
    const create = { token, body: { name: 'Full', software, memoryMb: 512 } }
    const server = (await call('POST /servers', create)).body.id as string
    const put = { token, body: 'motd=x', headers: { 'Content-Type': 'application/octet-stream' } }
    expect((await call(`PUT /servers/files/content/${server}?path=a.txt`, put)).status).toBeLessThan(300)
    await call('POST /auth/password/forgot', { body: { email } })
    const code = await opened.code()
    const secret = 'a secret of more than twenty characters'
    localSecret.give(secret)
    const next = 'another passphrase'
    const signIn = (password: string) => call('POST /auth/login', { body: { email, password } })
    const reset = () => call('POST /auth/password/reset', { body: { email, code, password: next } })
    const local = () => call('POST /auth/local', { body: { secret } })
    const start = () => call(`POST /servers/power/${server}`, { token, body: { action: 'start' } })
    const files = (act: string, body: unknown) =>
      call(`POST /servers/files/${act}/${server}`, { token, body })

    disk.fill()
    const asked: Record<string, Answer> = {
      signIn: await signIn(PASSWORD),
      reset: await reset(),
      local: await local(),
      register: await call('POST /auth/register', {
        body: { name: 'Ben', email: 'ben@example.org', password: PASSWORD },
      }),
      changePassword: await call('PATCH /users/password', {
        token,
        body: { currentPassword: PASSWORD, newPassword: 'never to be set' },
      }),
      // Whether there is an account or not: no mail could be written.
      forgot: await call('POST /auth/password/forgot', { body: { email } }),
      forgotOfNobody: await call('POST /auth/password/forgot', { body: { email: 'nobody@example.org' } }),
      write: await call(`PUT /servers/files/content/${server}?path=b.txt`, put),
      copy: await files('copy', { items: [{ from: 'a.txt', to: 'c.txt' }] }),
      folder: await files('folder', { path: 'new' }),
      archive: await files('archive', { paths: ['a.txt'], to: 'a.zip', format: 'zip' }),
      start: await start(),
    }
    for (const [name, { status, body }] of Object.entries(asked)) {
      // What needs no new room is done all the same.
      expect([name, status < 300 || status === 507]).toEqual([name, true])
      if (status === 507) expect(body.error.message).toMatch(/disk .*full.*Free up space/)
    }
    const full = ['signIn', 'reset', 'forgot', 'forgotOfNobody', 'write']
    expect(full.map((name) => asked[name]?.status)).toEqual(full.map(() => 507))
    expect((await call('GET /servers', { token })).body.items).toHaveLength(1)
    await expect
      .poll(async () => (await call(`GET /servers/status/${server}`, { token })).body.status)
      .toBe('crashed')
    const lines = (await call(`GET /servers/console/${server}`, { token })).body.items as { text: string }[]
    expect(lines.map(({ text }) => text).join('\n')).toContain(
      "The service's disk is full. Free up space on it",
    )

    disk.clear()
    // The secret, the code and the password are what they were: nothing was used up by what failed.
    if (asked['local']?.status === 507) expect((await local()).status).toBe(200)
    expect((await start()).status).toBe(202)
    // Nothing of the start that failed holds its port.
    await expect
      .poll(async () => (await call(`GET /servers/status/${server}`, { token })).body.status)
      .toBe('online')
    expect((await reset()).status).toBe(204)
    expect((await signIn(next)).status).toBe(200)
  },
)
