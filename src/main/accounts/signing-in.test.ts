import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listen, reply } from '../api/test-listener.ts'
import { openLog } from '../logging/open-log.ts'
import { ann, ben, ends, panel, read, service, signIn } from './connections.fixture.ts'
import { thrownProblem } from '../api/thrown-problem.fixture.ts'

describe('signing in', () => {
  test('by password makes a connection whose reads carry the token', async () => {
    await using at = await service()
    const { connections, records } = await panel()
    const made = await connections.entry.signIn(signIn(at))
    expect(made).toMatchObject({
      kind: 'service',
      name: `127.0.0.1:${at.port}`,
      baseUrl: at.baseUrl,
      user: { name: 'Ann', email: ann.email },
      state: { kind: 'ready' },
      tokenKept: 'memory',
      expiresAt: ends,
    })
    expect(await read(connections, made.id)).toBe('Of Ann')
    // A token is kept once the service has taken it; that is the check of the session too.
    expect(at.seen.map((seen) => seen.url)).toEqual([
      '/api/v1/auth/login',
      '/api/v1/users/me',
      '/api/v1/servers',
    ])
    expect(JSON.stringify(records.held)).not.toContain('token-u1')
    expect(JSON.stringify(connections.list())).not.toContain('token-u1')
  })

  test('with a wrong password, unconfirmed, or to a bad address says which', async () => {
    await using at = await service()
    const { connections } = await panel()
    const wrong = await thrownProblem(connections.entry.signIn({ ...signIn(at), password: 'no' }))
    expect(wrong).toMatchObject({ code: 'invalid', serviceCode: 'auth.wrong' })
    const unconfirmed = await thrownProblem(
      connections.entry.signIn({ ...signIn(at), password: 'unconfirmed' }),
    )
    expect(unconfirmed).toMatchObject({ code: 'forbidden', serviceCode: 'account.unconfirmed' })
    const bad = await thrownProblem(
      connections.entry.signIn({ ...signIn(at), baseUrl: 'http://example.com/api/v1' }),
    )
    expect(bad).toMatchObject({ code: 'bad-address' })
    expect(connections.list()).toEqual([])
  })

  test('again as the same user goes on with the connection; another user gets one of their own', async () => {
    await using at = await service()
    const { connections, records } = await panel()
    const first = await connections.entry.signIn(signIn(at))
    const again = await connections.entry.signIn({ ...signIn(at), baseUrl: `${at.baseUrl}/` })
    const other = await connections.entry.signIn(signIn(at, ben))
    expect(again.id).toBe(first.id)
    expect(other.id).not.toBe(first.id)
    expect(records.held).toHaveLength(2)
    expect(await read(connections, first.id)).toBe('Of Ann')
    expect(await read(connections, other.id)).toBe('Of Ben')
    expect(at.seen.at(-2)?.headers.authorization).toBe('Bearer token-u1-2')
  })

  test('by a pasted token checks it first and learns whose it is', async () => {
    await using at = await service()
    at.alive.set('pasted-token', ann)
    const { connections } = await panel()
    const made = await connections.entry.useToken({ baseUrl: at.baseUrl, token: ' Bearer pasted-token\n' })
    expect(made.user?.name).toBe('Ann')
    expect(await read(connections, made.id)).toBe('Of Ann')
    for (const token of ['dead-token', 'two words', 'grün', '']) {
      const fault = await thrownProblem(connections.entry.useToken({ baseUrl: at.baseUrl, token }))
      expect(fault).toMatchObject({ code: 'invalid', fields: { token: [expect.any(String)] } })
    }
    expect(connections.list()).toHaveLength(1)
  })

  test('by a pasted token to an address that is no such service makes no connection', async () => {
    await using page = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<html></html>')
    })
    await using nothing = await listen((_request, response) => reply(response, 404))
    const { connections } = await panel()
    for (const { baseUrl } of [page, nothing]) {
      expect((await thrownProblem(connections.entry.useToken({ baseUrl, token: 'some-token' }))).code).toBe(
        'incompatible',
      )
    }
    expect(connections.list()).toEqual([])
  })

  test('by a pasted token to a service that does not tell whose it is', async () => {
    await using at = await listen(({ path }, response) =>
      path === '/servers' ? reply(response, 200, { items: [], nextCursor: null }) : reply(response, 404),
    )
    const { connections } = await panel()
    const first = await connections.entry.useToken({ baseUrl: at.baseUrl, token: 'some-token' })
    expect(first.user).toBeNull()
    // The same token is the same connection; another may be another person's.
    expect((await connections.entry.useToken({ baseUrl: at.baseUrl, token: 'some-token' })).id).toBe(first.id)
    expect((await connections.entry.useToken({ baseUrl: at.baseUrl, token: 'other-token' })).id).not.toBe(
      first.id,
    )
  })

  test('by the code that confirms an account, after registering', async () => {
    await using at = await service()
    const { connections } = await panel()
    await connections.entry.register({
      baseUrl: at.baseUrl,
      name: 'Ann',
      email: ann.email,
      password: 'long enough, this',
    })
    await connections.entry.resend({ baseUrl: at.baseUrl, email: ann.email })
    expect(connections.list()).toEqual([])
    const wrong = await thrownProblem(
      connections.entry.confirm({ baseUrl: at.baseUrl, email: ann.email, code: '000000' }),
    )
    expect(wrong).toMatchObject({ code: 'invalid', fields: { code: ['Wrong code.'] } })
    const made = await connections.entry.confirm({ baseUrl: at.baseUrl, email: ann.email, code: '123456' })
    expect(await read(connections, made?.id ?? '')).toBe('Of Ann')
  })

  test('is told to those who listen, until they stop', async () => {
    await using at = await service()
    const { connections } = await panel()
    const told: number[] = []
    const stop = connections.onChange((list) => told.push(list.length))
    await connections.entry.signIn(signIn(at))
    expect(told.at(-1)).toBe(1)
    stop()
    const count = told.length
    await connections.entry.signIn(signIn(at, ben))
    expect(told).toHaveLength(count)
  })
})

describe('the password', () => {
  test('updated with a wrong one ends nothing; updated with the right one keeps this session', async () => {
    await using at = await service()
    const { connections } = await panel()
    const { id } = await connections.entry.signIn(signIn(at))
    const newPassword = 'long enough, this'
    const wrong = await thrownProblem(
      connections.updatePassword({ connectionId: id, currentPassword: 'no', newPassword }),
    )
    expect(wrong).toMatchObject({ code: 'invalid', serviceCode: 'password.wrong' })
    expect(connections.get(id).state.kind).toBe('ready')
    await connections.updatePassword({ connectionId: id, currentPassword: 'right', newPassword })
    expect(await read(connections, id)).toBe('Of Ann')
  })

  test('reset by code ends the sessions of that account, which the next read finds out', async () => {
    await using at = await service()
    const { connections } = await panel()
    const mine = await connections.entry.signIn(signIn(at))
    const other = await connections.entry.signIn(signIn(at, ben))
    await connections.entry.forgot({ baseUrl: at.baseUrl, email: ann.email })
    await connections.reset({
      baseUrl: at.baseUrl,
      email: ann.email,
      code: '123456',
      password: 'long enough, this',
    })
    expect((await thrownProblem(read(connections, mine.id))).code).toBe('signed-out')
    expect(connections.get(mine.id).state.kind).toBe('signed-out')
    expect(await read(connections, other.id)).toBe('Of Ben')
  })
})

test('a token that came by a sign-in never reaches the log', async () => {
  await using at = await service()
  const folder = await mkdtemp(join(tmpdir(), 'log-'))
  const log = openLog({ folder })
  try {
    const { connections } = await panel({ log })
    await connections.entry.signIn(signIn(at))
    log.error('by mistake: token-u1-1', { err: new Error('header token-u1-1') })
    await log.flush()
    expect(await readFile(log.path, 'utf8')).toContain('by mistake')
    expect(await readFile(log.path, 'utf8')).not.toContain('token-u1')
  } finally {
    await log.close()
    await rm(folder, { recursive: true })
  }
})
