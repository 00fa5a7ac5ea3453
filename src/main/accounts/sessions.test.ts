import { describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '../base/retry.ts'
import { ann, panel, read, recordsOf, service, signIn, until } from './connections.fixture.ts'
import { forkKeychainChild } from './keychain/fork-child.ts'
import { keychainStore } from './keychain/keychain-store.ts'
import { memoryStore, type SecretStore } from './secret-store.ts'
import { thrownProblem } from '../api/thrown-problem.fixture.ts'

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
    expect((await thrownProblem(read(next.connections, id))).code).toBe('signed-out')
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
    expect(await thrownProblem(read(connections, 'c1'))).toMatchObject({
      code: 'offline',
      detail: 'keychain',
    })
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
    expect((await thrownProblem(read(connections, 'c1'))).code).toBe('signed-out')
    expect(connections.get('c1').state.kind).toBe('signed-out')
  })
})

describe('a session', () => {
  test('ends by a confirmed 401 alone, and signing in again revives it', async () => {
    await using at = await service()
    const { connections } = await panel()
    const { id } = await connections.entry.signIn(signIn(at))
    at.alive.clear()
    expect((await thrownProblem(read(connections, id))).code).toBe('signed-out')
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
    expect((await thrownProblem(read(connections, id))).code).toBe('offline')
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
    await thrownProblem(read(connections, id))
    expect((await connections.retry(id)).state.kind).toBe('offline')
    const back = await service(first.port, first.alive)
    expect((await connections.retry(id)).state.kind).toBe('ready')
    // Or by the computer, when it wakes up.
    await back.stop()
    await thrownProblem(read(connections, id))
    expect(connections.get(id).state.kind).toBe('offline')
    await using _again = await service(first.port, first.alive)
    await connections.wake()
    expect(connections.get(id).state.kind).toBe('ready')
  })
})
