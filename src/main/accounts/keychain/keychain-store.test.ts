import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import type { SecretStore } from '../secret-store.ts'
import { forkKeychainChild } from './fork-child.ts'
import { keychainStore } from './keychain-store.ts'
import type { KeychainAsk, KeychainChild } from './protocol.ts'

const standIn = fileURLToPath(
  new URL('../../../../tests/doubles/programs/silent-keychain.ts', import.meta.url),
)

const open: SecretStore[] = []
afterEach(() => {
  for (const store of open.splice(0)) store.close()
})

/** Only tests of the limit set one: on a busy machine a child takes longer than 5 s to start. */
function storeOf(
  startChild: () => KeychainChild,
  limits: { limitMs?: number; idleMs?: number } = {},
): SecretStore {
  const store = keychainStore({ startChild, limitMs: 100_000, ...limits })
  open.push(store)
  return store
}

/** Runs something with changed environment variables; the children that are forked meanwhile inherit them. */
async function within<T>(env: Record<string, string | undefined>, run: () => Promise<T>): Promise<T> {
  const before = Object.fromEntries(Object.keys(env).map((name) => [name, process.env[name]]))
  const set = (values: Record<string, string | undefined>) => {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
  set(env)
  try {
    return await run()
  } finally {
    set(before)
  }
}

/** Children of this process that run a program. */
function childrenRunning(program: string): string[] {
  const table = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
  return table.split('\n').filter((line) => line.includes(program))
}

const linux = process.platform === 'linux'

describe('with a keychain', () => {
  if (linux && !process.env.DBUS_SESSION_BUS_ADDRESS) {
    test('needs a Secret Service', () => {
      throw new Error(
        'There is no session bus. Run these tests under dbus-run-session with gnome-keyring unlocked.',
      )
    })
    return
  }

  test('keeps a token over a new start, and forgets it when cleared', async () => {
    const id = `test-${process.pid}-${Date.now()}`
    const first = storeOf(() => forkKeychainChild())
    expect(first.status()).toEqual({ kind: 'unknown', reason: null })
    expect(await first.write(id, 'secret-ünïcode-🎲')).toBe('keychain')
    expect(first.status()).toEqual({ kind: 'ok', reason: null })
    first.close()

    const second = storeOf(() => forkKeychainChild())
    expect(await second.read(id)).toEqual({ kind: 'found', token: 'secret-ünïcode-🎲', kept: 'keychain' })
    expect(await second.write(id, 'newer')).toBe('keychain')
    expect(await second.read(id)).toMatchObject({ token: 'newer' })
    expect(await second.clear(id)).toBe(true)
    expect(await second.read(id)).toEqual({ kind: 'absent' })
  })

  test('leaves nothing of its probe behind', async () => {
    const probes = new Set<string>()
    const store = storeOf(() => {
      const child = forkKeychainChild()
      const send = (ask: KeychainAsk) => {
        if (ask.do === 'set') probes.add(ask.account)
        child.send(ask)
      }
      return { ...child, send }
    })
    expect(await store.probe()).toEqual({ kind: 'ok', reason: null })
    expect(probes.size).toBe(1)
    for (const account of [...probes]) expect(await store.read(account)).toEqual({ kind: 'absent' })
  })

  test('ends a child that nobody asks, and starts another when asked again', async () => {
    const started: Promise<void>[] = []
    const store = storeOf(
      () => {
        const child = forkKeychainChild()
        started.push(new Promise((resolve) => child.onEnd(resolve)))
        return child
      },
      { idleMs: 20 },
    )
    await store.probe()
    await Promise.all(started)
    expect((await store.probe()).kind).toBe('ok')
    expect(started.length).toBeGreaterThan(1)
  })

  test('goes on with a new child where the old one was killed from outside', async () => {
    let last: KeychainChild | undefined
    const store = storeOf(() => (last = forkKeychainChild()))
    await store.probe()
    const ended = new Promise<void>((resolve) => last?.onEnd(resolve))
    last?.kill()
    await ended
    expect((await store.probe()).kind).toBe('ok')
  })
})

describe('without a keychain', () => {
  test.runIf(linux)('no session bus: the token stays in memory, and the status says why', async () => {
    const nowhere = {
      DBUS_SESSION_BUS_ADDRESS: undefined,
      DISPLAY: undefined,
      XDG_RUNTIME_DIR: '/nonexistent',
    }
    await within(nowhere, async () => {
      const store = storeOf(() => forkKeychainChild())
      const told: string[] = []
      store.onStatus(({ kind }) => told.push(kind))
      expect(await store.write('c', 'the-token')).toBe('memory')
      expect(await store.read('c')).toEqual({ kind: 'found', token: 'the-token', kept: 'memory' })
      expect(store.status().kind).toBe('missing')
      expect(store.status().reason?.message).toContain('D-Bus')
      expect(store.status().reason?.message).toContain('until the panel is closed')
      expect(told).toEqual(['missing'])
      // Nobody can say whether a keychain that is not there holds anything.
      expect((await store.read('other')).kind).toBe('silent')
      expect(await store.clear('c')).toBe(true)
    })
  })

  test('a child that cannot be started is no reason to fail', async () => {
    const store = storeOf(() => {
      throw new Error('no more processes')
    })
    expect(await store.write('c', 'the-token')).toBe('memory')
    expect(store.status().kind).toBe('missing')
  })

  test('a child that ends at once is no reason to wait for the limit', async () => {
    const store = storeOf(() => forkKeychainChild('/nonexistent/child.js'))
    expect(await store.write('c', 'the-token')).toBe('memory')
  })
})

describe.runIf(linux)('a session of its own', () => {
  /** Starts a session bus, with a keyring that was unlocked once where one is wanted. */
  async function session(keyring: boolean) {
    const home = await mkdtemp(join(tmpdir(), 'keyring-'))
    const unlock = keyring
      ? 'printf test | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1;'
      : ''
    const say = 'echo "$DBUS_SESSION_BUS_ADDRESS"; cat >/dev/null'
    const env = { ...process.env, XDG_DATA_HOME: home, XDG_RUNTIME_DIR: home, HOME: home, DISPLAY: '' }
    const bus = spawn('dbus-run-session', ['--', 'bash', '-c', unlock + say], {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const address = await new Promise<string>((resolve, reject) => {
      bus.once('error', () =>
        reject(new Error('dbus-run-session is missing: install dbus and gnome-keyring.')),
      )
      bus.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()))
    })
    return {
      env: {
        DBUS_SESSION_BUS_ADDRESS: address,
        XDG_DATA_HOME: home,
        XDG_RUNTIME_DIR: home,
        DISPLAY: undefined,
      },
      [Symbol.asyncDispose]: async () => {
        const ended = new Promise((resolve) => bus.once('exit', resolve))
        bus.stdin.end()
        await ended
        await rm(home, { recursive: true, force: true })
      },
    }
  }

  /** Locks the keyring, as closing a notebook can. */
  function lock(address: string): void {
    const to = ['--session', '--print-reply', '--dest=org.freedesktop.secrets', '/org/freedesktop/secrets']
    const what = [
      'org.freedesktop.Secret.Service.Lock',
      'array:objpath:/org/freedesktop/secrets/collection/login',
    ]
    execFileSync('dbus-send', [...to, ...what], {
      env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: address },
    })
  }

  test('a keyring that was locked is silent: its null is not taken for absence', async () => {
    await using own = await session(true)
    await within(own.env, async () => {
      const first = storeOf(() => forkKeychainChild())
      expect(await first.write('c', 'the-token')).toBe('keychain')
      first.close()
      lock(own.env.DBUS_SESSION_BUS_ADDRESS)
      const second = storeOf(() => forkKeychainChild(), { limitMs: 3000 })
      const read = await second.read('c')
      expect(read.kind).toBe('silent')
      expect(second.status().kind).not.toBe('ok')
      expect(second.status().reason?.message).toMatch(/^[A-Z].*\.$/)
      second.close()
    })
  })

  test('a bus without a keyring keeps the token in memory, and says what is missing', async () => {
    await using own = await session(false)
    await within(own.env, async () => {
      const store = storeOf(() => forkKeychainChild(), { limitMs: 3000 })
      expect((await store.read('c')).kind).toBe('silent')
      expect(await store.write('c', 'the-token')).toBe('memory')
      expect(store.status().kind).toBe('missing')
      expect(store.status().reason?.message).toContain('keyring')
      store.close()
    })
  })
})

describe('a keychain that hangs', () => {
  test('is killed after the limit, and its silence is not taken for absence', async () => {
    expect(existsSync(standIn)).toBe(true)
    const ended: Promise<void>[] = []
    const store = storeOf(
      () => {
        const child = forkKeychainChild(standIn)
        ended.push(new Promise((resolve) => child.onEnd(resolve)))
        return child
      },
      { limitMs: 300 },
    )
    const [one, two] = await Promise.all([store.read('a'), store.read('b')])
    expect([one.kind, two.kind]).toEqual(['silent', 'silent'])
    expect(store.status().kind).toBe('locked')
    expect(store.status().reason?.message).toContain('Unlock it')
    await Promise.all(ended)
    expect(ended).toHaveLength(1)
    expect(childrenRunning('silent-child')).toEqual([])

    // The next question gets a child of its own, and the token a place in memory.
    expect(await store.write('a', 'the-token')).toBe('memory')
    expect(await store.read('a')).toMatchObject({ kind: 'found', token: 'the-token' })
    await Promise.all(ended)
    expect(ended).toHaveLength(2)
  })
})
