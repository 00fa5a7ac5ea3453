import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { servers } from '../../contract/areas/servers.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import type { Connection } from '../../contract/bridge/values.ts'
import { PanelProblem } from '../api/problem.ts'
import { type Clock, systemClock } from '../api/retry.ts'
import { listen, type Listener, refusal, reply } from '../api/test-listener.ts'
import { ownPort } from '../../../tests/fixtures/game-ports.ts'
import { makeDispatcher } from '../api/dispatcher.ts'
import { openLog } from '../logging/open-log.ts'
import type { ConnectionRecord } from './connection-records.ts'
import { Connections, type ConnectionsPorts } from './connections.ts'
import { forkKeychainChild } from './keychain/fork-child.ts'
import { keychainStore } from './keychain/keychain-store.ts'
import { memoryStore, type SecretStore } from './secret-store.ts'

const dispatcher = makeDispatcher()
const running: Connections[] = []
afterEach(() => running.splice(0).forEach((connections) => connections.close()))
afterAll(() => dispatcher.close())

const ann = { id: 'u1', name: 'Ann', email: 'ann@example.com' }
const ben = { id: 'u2', name: 'Ben', email: 'ben@example.com' }
const ends = '2027-01-01T00:00:00Z'

/** A service with two accounts, whose tokens live until it forgets them. */
async function service(port?: number, alive = new Map<string, typeof ann>()) {
  let count = alive.size
  const listener = await listen(
    ({ method, path, headers, body }, response) => {
      const whose = alive.get(headers.authorization?.replace('Bearer ', '') ?? '')
      const given = body === '' ? {} : (JSON.parse(body) as Record<string, string>)
      const session = (user: typeof ann) => {
        const token = `token-${user.id}-${++count}`
        alive.set(token, user)
        return { token, expiresAt: ends, user }
      }
      switch (`${method} ${path}`) {
        case 'POST /auth/login': {
          const user = given.email === ann.email ? ann : ben
          if (given.password === 'right') return reply(response, 200, session(user))
          if (given.password === 'unconfirmed') return reply(response, 403, refusal('account.unconfirmed'))
          return reply(response, 401, refusal('auth.wrong', 'Wrong email or password.'))
        }
        case 'POST /auth/register':
          return reply(response, 201, { user: ann })
        case 'POST /auth/email/confirm':
          return given.code === '123456'
            ? reply(response, 200, session(ann))
            : reply(response, 422, refusal('code.wrong', 'Wrong code.', { code: ['Wrong code.'] }))
        case 'POST /auth/email/resend':
        case 'POST /auth/password/forgot':
          return reply(response, 204)
        case 'POST /auth/password/reset':
          for (const [token, user] of alive) if (user.email === given.email) alive.delete(token)
          return reply(response, 204)
      }
      if (!whose) return reply(response, 401, refusal('auth.required'))
      switch (`${method} ${path}`) {
        case 'GET /users/me':
          return reply(response, 200, whose)
        case 'POST /auth/logout':
          alive.delete(headers.authorization?.replace('Bearer ', '') ?? '')
          return reply(response, 204)
        case 'PATCH /users/password':
          return given.currentPassword === 'right'
            ? reply(response, 204)
            : reply(response, 401, refusal('password.wrong', 'Wrong.'))
        case 'GET /servers':
          return reply(response, 200, { items: [{ id: 's1', name: `Of ${whose.name}` }], nextCursor: null })
        default:
          return reply(response, 404)
      }
    },
    // One that listens again does so where it was.
    { port: port ?? ownPort() },
  )
  return Object.assign(listener, { alive })
}

/** Records in memory, as plain data. */
function recordsOf(held: ConnectionRecord[] = []) {
  return {
    held,
    all: async () => structuredClone(held),
    save: async (record: ConnectionRecord) => {
      const at = held.findIndex(({ id }) => id === record.id)
      held.splice(at < 0 ? held.length : at, at < 0 ? 0 : 1, structuredClone(record))
    },
    remove: async (id: string) => void held.splice(0, held.length, ...held.filter((one) => one.id !== id)),
  }
}

async function panel(ports: Partial<ConnectionsPorts> = {}) {
  const wiped: string[] = []
  const records = recordsOf()
  const secrets = memoryStore('A test keeps nothing.')
  const wipe = async (id: string) => void wiped.push(id)
  const connections = new Connections({ records, secrets, dispatcher, wipe, ...ports })
  running.push(connections)
  await connections.load()
  return { connections, records, secrets, wiped }
}

async function problemOf(promise: Promise<unknown>): Promise<Problem> {
  const fault: unknown = await promise.then(
    () => new Error('no problem arose'),
    (reason: unknown) => reason,
  )
  if (fault instanceof PanelProblem) return fault.problem
  throw fault
}

/** Resolves with the connection when it comes to stand as wanted. */
function until(
  connections: Connections,
  id: string,
  wanted: Connection['state']['kind'],
): Promise<Connection> {
  return new Promise((resolve) => {
    const look = (list: Connection[]) => {
      const found = list.find((one) => one.id === id)
      if (found?.state.kind !== wanted) return
      stop()
      resolve(found)
    }
    const stop = connections.onChange(look)
    look(connections.list())
  })
}

const signIn = (at: Listener, who = ann) => ({ baseUrl: at.baseUrl, email: who.email, password: 'right' })
const read = async (connections: Connections, id: string) =>
  (await connections.client(id).send(servers.list, {})).value.items[0]?.name

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
    const wrong = await problemOf(connections.entry.signIn({ ...signIn(at), password: 'no' }))
    expect(wrong).toMatchObject({ code: 'invalid', serviceCode: 'auth.wrong' })
    const unconfirmed = await problemOf(connections.entry.signIn({ ...signIn(at), password: 'unconfirmed' }))
    expect(unconfirmed).toMatchObject({ code: 'forbidden', serviceCode: 'account.unconfirmed' })
    const bad = await problemOf(
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
      const fault = await problemOf(connections.entry.useToken({ baseUrl: at.baseUrl, token }))
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
      expect((await problemOf(connections.entry.useToken({ baseUrl, token: 'some-token' }))).code).toBe(
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
    const wrong = await problemOf(
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
    const wrong = await problemOf(
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
    expect((await problemOf(read(connections, mine.id))).code).toBe('signed-out')
    expect(connections.get(mine.id).state.kind).toBe('signed-out')
    expect(await read(connections, other.id)).toBe('Of Ben')
  })
})

describe('a new start', () => {
  const linux = process.platform === 'linux'
  test('with a keychain is still signed in, and nothing waits for the keychain', async () => {
    if (linux && !process.env.DBUS_SESSION_BUS_ADDRESS) {
      throw new Error(
        'There is no session bus. Run these tests under dbus-run-session with gnome-keyring unlocked.',
      )
    }
    await using at = await service()
    const records = recordsOf()
    const before = keychainStore({ startChild: () => forkKeychainChild() })
    const { connections } = await panel({ records, secrets: before })
    const { id } = await connections.entry.signIn(signIn(at))
    await until(connections, id, 'ready')
    await expect.poll(() => connections.get(id).tokenKept).toBe('keychain')
    connections.close()
    before.close()
    at.seen.length = 0

    let started = 0
    const after = keychainStore({
      startChild: () => {
        started++
        return forkKeychainChild()
      },
    })
    const next = await panel({ records, secrets: after })
    expect(next.connections.list()).toMatchObject([{ id, state: { kind: 'ready' }, tokenKept: 'keychain' }])
    expect(started).toBe(0)
    expect(await read(next.connections, id)).toBe('Of Ann')
    expect(at.seen.map((seen) => seen.url)).toEqual(['/api/v1/users/me', '/api/v1/servers'])
    await next.connections.signOut(id)
    expect(await after.read(id)).toEqual({ kind: 'absent' })
    after.close()
  })

  test('without a keychain is signed out, and signing in goes on with the connection', async () => {
    await using at = await service()
    const records = recordsOf()
    const { connections } = await panel({ records })
    const { id } = await connections.entry.signIn(signIn(at))
    const next = await panel({ records })
    expect(next.connections.list()).toMatchObject([{ id, state: { kind: 'signed-out' }, tokenKept: 'none' }])
    expect((await problemOf(read(next.connections, id))).code).toBe('signed-out')
    expect((await next.connections.entry.signIn(signIn(at))).id).toBe(id)
    expect(await read(next.connections, id)).toBe('Of Ann')
  })

  test('with a silent keychain ends nothing, and asking again helps once it speaks', async () => {
    await using at = await service()
    at.alive.set('kept-token', ann)
    const record = {
      id: 'c1',
      kind: 'service',
      name: 'x',
      baseUrl: at.baseUrl,
      user: null,
      expiresAt: null,
    } as const
    const store: SecretStore = memoryStore('none')
    let silent = true
    const secrets: SecretStore = {
      ...store,
      read: async () =>
        silent
          ? { kind: 'silent', reason: { message: 'The keychain is locked.' } }
          : { kind: 'found', token: 'kept-token', kept: 'keychain' },
    }
    const records = recordsOf([{ ...record, tokenKept: 'keychain' }])
    const { connections } = await panel({ records, secrets })
    expect(await problemOf(read(connections, 'c1'))).toMatchObject({ code: 'offline', detail: 'keychain' })
    expect(connections.get('c1').state).toMatchObject({ kind: 'offline', problem: { detail: 'keychain' } })
    expect(at.seen).toEqual([])
    silent = false
    expect((await connections.retry('c1')).state.kind).toBe('ready')
    expect(await read(connections, 'c1')).toBe('Of Ann')
    // The check told whose token it is.
    expect(records.held[0]?.user).toEqual(ann)
  })

  test('with a keychain that no longer holds the token is signed out', async () => {
    await using at = await service()
    const record = {
      id: 'c1',
      kind: 'service',
      name: 'x',
      baseUrl: at.baseUrl,
      user: null,
      expiresAt: null,
    } as const
    const { connections } = await panel({ records: recordsOf([{ ...record, tokenKept: 'keychain' }]) })
    expect((await problemOf(read(connections, 'c1'))).code).toBe('signed-out')
    expect(connections.get('c1').state.kind).toBe('signed-out')
  })
})

describe('a session', () => {
  test('ends by a confirmed 401 alone, and signing in again revives it', async () => {
    await using at = await service()
    const { connections } = await panel()
    const { id } = await connections.entry.signIn(signIn(at))
    at.alive.clear()
    expect((await problemOf(read(connections, id))).code).toBe('signed-out')
    expect(connections.get(id).state.kind).toBe('signed-out')
    expect((await connections.entry.signIn(signIn(at))).state.kind).toBe('ready')
    expect(await read(connections, id)).toBe('Of Ann')
  })

  test('goes on when the service goes and comes back, which is found out without anybody asking', async () => {
    const waits: number[] = []
    // 1,500 ms is what a sign-in waits for the keychain.
    const probes = () => waits.filter((ms) => ms >= 1000 && ms !== 1500)
    const clock: Clock = {
      ...systemClock,
      random: () => 1,
      sleep: async (ms, signal) => {
        waits.push(ms)
        await systemClock.sleep(Math.min(ms, 20), signal)
      },
    }
    const first = await service()
    const { connections } = await panel({ clock })
    const { id } = await connections.entry.signIn(signIn(first))
    await first.stop()
    expect((await problemOf(read(connections, id))).code).toBe('offline')
    const offline = connections.get(id).state
    expect(offline).toMatchObject({
      kind: 'offline',
      problem: { code: 'offline' },
      since: expect.any(String),
    })
    await expect.poll(() => probes().length).toBeGreaterThan(7)
    expect(connections.get(id).state).toMatchObject({ since: (offline as { since: string }).since })
    await using back = await service(first.port, first.alive)
    await until(connections, id, 'ready')
    expect(await read(connections, id)).toBe('Of Ann')
    expect(back.seen.length).toBeGreaterThan(0)
    expect(probes().slice(0, 8)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  })

  test('can be asked for at once by retry', async () => {
    const first = await service()
    const never: Clock = {
      ...systemClock,
      random: () => 1,
      sleep: (ms, signal) => systemClock.sleep(ms >= 1000 ? 1e8 : 1, signal),
    }
    const { connections } = await panel({ clock: never })
    const { id } = await connections.entry.signIn(signIn(first))
    await first.stop()
    await problemOf(read(connections, id))
    expect((await connections.retry(id)).state.kind).toBe('offline')
    const back = await service(first.port, first.alive)
    expect((await connections.retry(id)).state.kind).toBe('ready')
    // Or by the computer, when it wakes up.
    await back.stop()
    await problemOf(read(connections, id))
    expect(connections.get(id).state.kind).toBe('offline')
    await using _again = await service(first.port, first.alive)
    await connections.wake()
    expect(connections.get(id).state.kind).toBe('ready')
  })
})

describe('signing out', () => {
  test('revokes the token, forgets it and wipes what was kept', async () => {
    await using at = await service()
    const { connections, records, secrets, wiped } = await panel()
    const { id } = await connections.entry.signIn(signIn(at))
    const client = connections.client(id)
    expect(await connections.signOut(id)).toEqual({ revoked: true, expiresAt: ends })
    expect(at.alive.size).toBe(0)
    expect(connections.list()).toEqual([])
    expect(records.held).toEqual([])
    expect(await secrets.read(id)).toEqual({ kind: 'absent' })
    expect(wiped).toEqual([id])
    expect((await problemOf(client.send(servers.list, {}))).code).toBe('signed-out')
    expect(
      (await problemOf(read(connections, id).catch((fault: unknown) => Promise.reject(fault as Error)))).code,
    ).toBe('not-found')
  })

  test('works without the service, and says that the token lives until it expires', async () => {
    const at = await service()
    const { connections, records, secrets, wiped } = await panel()
    const { id } = await connections.entry.signIn(signIn(at))
    await at.stop()
    expect(await connections.signOut(id)).toEqual({ revoked: false, expiresAt: ends })
    expect([connections.list(), records.held, wiped]).toEqual([[], [], [id]])
    expect(await secrets.read(id)).toEqual({ kind: 'absent' })
  })

  test('of a session that the service ended counts as revoked', async () => {
    await using at = await service()
    const { connections } = await panel()
    const { id } = await connections.entry.signIn(signIn(at))
    at.alive.clear()
    await problemOf(read(connections, id))
    expect(await connections.signOut(id)).toMatchObject({ revoked: true })
  })

  test('ends what is under way while the token is still good for that, and goes on where that fails', async () => {
    await using at = await service()
    const left: number[] = []
    const leave = async () => {
      left.push(at.alive.size)
      throw new Error('disk')
    }
    const { connections, wiped } = await panel({ leave })
    const { id } = await connections.entry.signIn(signIn(at))
    expect(await connections.signOut(id)).toMatchObject({ revoked: true })
    expect([left, at.alive.size, wiped]).toEqual([[1], 0, [id]])
  })

  test('that cannot wipe keeps the record, so that it can be done again', async () => {
    await using at = await service()
    const wipe = () => Promise.reject(new Error('disk'))
    const { connections, records } = await panel({ wipe })
    const { id } = await connections.entry.signIn(signIn(at))
    await expect(connections.signOut(id)).rejects.toThrow('disk')
    expect(records.held.map((record) => record.id)).toEqual([id])
  })

  test('waits for a token that is still on its way into the keychain, so that it does not stay behind', async () => {
    await using at = await service()
    const slow = memoryStore('slow')
    const gate = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    const secrets: SecretStore = {
      ...slow,
      write: async (id, token) => {
        await gate.promise
        const kept = await slow.write(id, token)
        written.resolve()
        return kept
      },
    }
    const clock: Clock = { ...systemClock, sleep: async () => {} }
    const { connections, wiped } = await panel({ secrets, clock })
    const { id } = await connections.entry.signIn(signIn(at))
    const out = connections.signOut(id)
    await expect.poll(() => wiped).toEqual([id])
    gate.resolve()
    await Promise.all([out, written.promise])
    expect(await slow.read(id)).toEqual({ kind: 'absent' })
  })
})

describe('this computer', () => {
  const session = { token: 'local-token', expiresAt: null, user: { id: 'owner', name: 'Owner' } }

  test('stands first in the list, keeps its token in memory, and cannot be signed out of', async () => {
    await using at = await service()
    at.alive.set('local-token', ann)
    const { connections, records, secrets } = await panel()
    await connections.entry.signIn(signIn(at))
    connections.localState({ kind: 'starting' })
    expect(connections.list().map(({ id, state }) => [id, state.kind])[0]).toEqual(['local', 'starting'])
    expect(() => connections.client('local')).toThrow('not running yet')
    const local = connections.setLocal({ baseUrl: at.baseUrl, session })
    expect(local).toMatchObject({
      id: 'local',
      kind: 'local',
      name: 'This computer',
      state: { kind: 'ready' },
    })
    expect(await read(connections, 'local')).toBe('Of Ann')
    expect(records.held).toHaveLength(1)
    expect(await secrets.read('local')).toEqual({ kind: 'absent' })
    expect((await problemOf(connections.signOut('local'))).code).toBe('refused')
  })

  test('moves to the new address and token of the next start', async () => {
    await using one = await service()
    await using two = await service()
    two.alive.set('second-token', ben)
    const { connections } = await panel()
    connections.setLocal({ baseUrl: one.baseUrl, session })
    const problem: Problem = { code: 'local-failed', message: 'It ended.', retryable: true }
    connections.localState({ kind: 'offline', problem, since: '2026-11-20T12:00:00Z' })
    expect(connections.get('local').state).toMatchObject({
      kind: 'offline',
      problem: { code: 'local-failed' },
    })
    connections.setLocal({ baseUrl: two.baseUrl, session: { ...session, token: 'second-token' } })
    expect(connections.list()).toHaveLength(1)
    expect(await read(connections, 'local')).toBe('Of Ben')
    connections.localState(null)
    expect(connections.list()).toEqual([])
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

test('an unknown connection is not found', async () => {
  const { connections } = await panel()
  expect(() => connections.client('nobody')).toThrow(PanelProblem)
  expect((await problemOf(connections.retry('nobody'))).code).toBe('not-found')
})
