import { describe, expect, test } from 'vitest'
import { servers } from '../../contract/areas/servers.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import { PanelProblem } from '../base/problem.ts'
import { type Clock, systemClock } from '../base/retry.ts'
import { ann, ben, ends, panel, read, service, signIn } from './connections.fixture.ts'
import { memoryStore, type SecretStore } from './secret-store.ts'
import { thrownProblem } from '../api/thrown-problem.fixture.ts'

test('a service gets a name of its own, which is kept and can be taken back', async () => {
  await using at = await service()
  const { connections, records } = await panel()
  const { id, name } = await connections.entry.signIn(signIn(at))
  expect(connections.change(id, { name: 'Bee’s servers' }).name).toBe('Bee’s servers')
  expect((await connections.entry.signIn(signIn(at))).name).toBe('Bee’s servers')
  expect(records.held).toMatchObject([{ name: 'Bee’s servers' }])
  expect(connections.change(id, { name: '' }).name).toBe(name)
  expect(() => connections.change('local', { name: 'Mine' })).toThrow()
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
    expect((await thrownProblem(client.send(servers.list, {}))).code).toBe('signed-out')
    expect(
      (await thrownProblem(read(connections, id).catch((fault: unknown) => Promise.reject(fault as Error))))
        .code,
    ).toBe('not-found')
  })

  test('everywhere ends all other sign-ins of the account and this one, in one act', async () => {
    await using at = await service()
    const { connections, wiped } = await panel()
    const { id } = await connections.entry.signIn(signIn(at))
    const other = await panel()
    await other.connections.entry.signIn(signIn(at))
    await other.connections.entry.signIn(signIn(at, ben))
    expect(await connections.signOut(id, true)).toEqual({ revoked: true, expiresAt: ends })
    expect([...at.alive.values()]).toEqual([ben])
    expect([connections.list(), wiped]).toEqual([[], [id]])
  })

  test('everywhere does nothing here where the service ends no other sign-in', async () => {
    const at = await service()
    const { connections, wiped } = await panel()
    const { id } = await connections.entry.signIn(signIn(at))
    await at.stop()
    expect((await thrownProblem(connections.signOut(id, true))).code).toBe('offline')
    expect([connections.list().length, wiped]).toEqual([1, []])
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
    await thrownProblem(read(connections, id))
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
    expect((await thrownProblem(connections.signOut('local'))).code).toBe('refused')
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

test('an unknown connection is not found', async () => {
  const { connections } = await panel()
  expect(() => connections.client('nobody')).toThrow(PanelProblem)
  expect((await thrownProblem(connections.retry('nobody'))).code).toBe('not-found')
})
