import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type {
  RunningWork,
  Update,
  UpdateState,
  Updates as Shown,
} from '../../contract/bridge/update-calls.ts'
import type { Clock } from '../base/retry.ts'
import { noLog } from '../logging/log.ts'
import type { ExitPlan, UpdateEngine, UpdatesPort } from './update-engine.ts'
import { Updates } from './updates.ts'
import { carryOut } from './installed-updates.ts'
import { whereUpdated } from './where-updated.ts'

const update: Update = { version: '1.1.0', notes: '', releasedAt: null, size: 1000 }
const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))

/** A clock whose sleeps end when the test says so. */
function heldClock() {
  const sleeping: { ms: number; wake: () => void }[] = []
  const waiting = new Set<() => void>()
  const clock: Clock = {
    now: () => Date.parse('2026-11-23T10:00:00Z'),
    elapsed: () => 0,
    random: () => 0.5,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        sleeping.push({ ms, wake: resolve })
        signal?.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
        for (const seen of waiting) seen()
        waiting.clear()
      }),
  }
  /** Waits until something sleeps. */
  async function asleep(): Promise<void> {
    while (sleeping.length === 0) await new Promise<void>((resolve) => waiting.add(resolve))
  }
  /** Ends the next sleep, once there is one; answers how long it would have been, in ms. */
  async function pass(): Promise<number> {
    await asleep()
    const { ms, wake } = sleeping.shift()!
    wake()
    return ms
  }
  return { clock, pass, asleep }
}

/** Updates whose engine and running work a test holds. */
function updatesWith(
  engine: Partial<UpdateEngine> = {},
  settings: Record<string, string> = {},
  loaded: () => Promise<void> = () => Promise.resolve(),
) {
  const asked: string[] = []
  const plans: ExitPlan[] = []
  const told: Shown[] = []
  const waiting = new Set<() => void>()
  const now = { running: { transfers: 0, servers: 0 } as RunningWork, closed: 0 }
  const time = heldClock()
  const port: UpdatesPort = {
    kind: 'here',
    engine: () =>
      loaded().then(() => ({
        installs: 'quietly',
        check: (channel) => {
          asked.push(channel)
          return Promise.resolve(update)
        },
        download: () => Promise.resolve(),
        install: () => false,
        ...engine,
      })),
    plan: (plan) => void plans.push(plan),
    close: () => void now.closed++,
  }
  const updates = new Updates({
    version: '1.0.0',
    port,
    cache: {
      readSetting: (name) => Promise.resolve(settings[name] ?? null),
      writeSetting: async (name, value) => void (settings[name] = value),
    },
    running: () => Promise.resolve(now.running),
    tell: (shown) => {
      told.push(shown)
      for (const seen of waiting) seen()
    },
    clock: time.clock,
    log: noLog,
  })
  onTestFinished(() => updates.stop())
  /** Waits until the state is of a kind. */
  async function until<K extends UpdateState['kind']>(kind: K): Promise<Extract<UpdateState, { kind: K }>> {
    for (;;) {
      const changed = new Promise<void>((resolve) => waiting.add(resolve))
      const { state } = await updates.read()
      if (state.kind === kind) return state as Extract<UpdateState, { kind: K }>
      await changed
    }
  }
  return { updates, asked, plans, told, now, until, settings, pass: time.pass, asleep: time.asleep }
}

describe('the panel’s updates', () => {
  it('are looked for a little after the start and then every few hours, and fetched by themselves', async () => {
    const { updates, until, pass, plans } = updatesWith()
    updates.start()
    expect(await pass()).toBe(10_000)
    expect(await until('ready')).toMatchObject({ installs: 'on-quit', update })
    expect(plans).toEqual(['install'])
    expect(await pass()).toBe(4 * 60 * 60_000)
  })

  it('are left alone where a person wants to look for them by hand', async () => {
    const { updates, until, pass, asked } = updatesWith({}, { updates: '{"automatic":false}' })
    updates.start()
    await pass()
    await pass()
    expect(asked).toEqual([])
    expect((await updates.check()).state).toEqual({ kind: 'available', update })
    await updates.download()
    await until('ready')
  })

  it('are tried again soon after a failure', async () => {
    const { updates, pass, until } = updatesWith({ check: failing('ECONNREFUSED') })
    updates.start()
    await pass()
    expect([await pass(), await pass()]).toEqual([600_000, 600_000])
    expect(await until('failed')).toMatchObject({
      during: 'check',
      problem: { text: { key: 'update.unreachable' } },
    })
  })

  it('can be fetched again after the disk was full', async () => {
    let full = true
    const { updates, until } = updatesWith({
      download: () => (full ? failing('ENOSPC')() : Promise.resolve()),
    })
    await updates.check()
    expect(await until('failed')).toMatchObject({ problem: { text: { key: 'update.disk-full' } }, update })
    full = false
    await updates.download()
    await until('ready')
  })

  it('are installed at once where nothing runs', async () => {
    const { updates, until, now, plans } = updatesWith()
    await updates.check()
    await until('ready')
    expect(await updates.install(false)).toEqual({ kind: 'installing' })
    expect(plans).toEqual(['install', 'install-and-restart'])
    expect(now.closed).toBe(1)
  })

  it('stop servers and transfers only where somebody agreed to it', async () => {
    const { updates, until, now, plans } = updatesWith()
    await updates.check()
    await until('ready')
    now.running = { transfers: 1, servers: 2 }
    expect(await updates.install(false)).toEqual({ kind: 'would-stop', running: now.running })
    expect(now.closed).toBe(0)
    expect(plans).toEqual(['install'])
    expect(await updates.install(true)).toEqual({ kind: 'installing' })
    expect(now.closed).toBe(1)
  })

  it('are not installed unasked where nobody can say what runs', async () => {
    const { updates, until, now } = updatesWith()
    await updates.check()
    await until('ready')
    now.running = { transfers: 0, servers: null }
    expect(await updates.install(false)).toEqual({ kind: 'would-stop', running: now.running })
    expect(now.closed).toBe(0)
  })

  it('are never installed by themselves where that takes a password', async () => {
    const { updates, until, plans } = updatesWith({ installs: 'with-password' })
    await updates.check()
    expect(await until('ready')).toMatchObject({ installs: 'asked' })
    expect(plans).toEqual([])
  })

  it('of the other channel are forgotten with it, and not installed at the end', async () => {
    const { updates, until, plans, asked, settings } = updatesWith()
    await updates.check()
    await until('ready')
    await updates.change({ automatic: false })
    expect((await updates.change({ channel: 'beta' })).state).toMatchObject({ kind: 'available' })
    expect(plans).toEqual(['install', 'nothing'])
    expect(asked).toEqual(['stable', 'beta'])
    expect(settings['updates']).toBe('{"channel":"beta","automatic":false}')
  })

  it('of the other channel are left where it changes while they are looked for', async () => {
    const began = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<Update>()
    const fetched: string[] = []
    const other: Update = { ...update, version: '2.0.0-beta.1' }
    let latest = ''
    const { updates, until } = updatesWith({
      check: async (channel) => {
        latest = channel
        if (channel === 'beta') return other
        began.resolve()
        return await answer.promise
      },
      download: async () => void fetched.push(latest),
    })
    const checking = updates.check()
    await began.promise
    const changing = updates.change({ channel: 'beta' })
    answer.resolve(update)
    await Promise.all([checking, changing])
    expect(await until('ready')).toMatchObject({ update: other })
    expect(fetched).toEqual(['beta'])
  })

  it('of the other channel are left where it changes in the moment that they have been fetched', async () => {
    const asked = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    let isFetched = false
    const way = updatesWith(
      {
        check: (channel) => Promise.resolve(channel === 'stable' ? update : null),
        download: async () => void (isFetched = true),
      },
      {},
      // Once it is there, it is asked how it is installed.
      async () => {
        if (!isFetched) return
        isFetched = false
        asked.resolve()
        await answered.promise
      },
    )
    await way.updates.check()
    await asked.promise
    await way.updates.change({ channel: 'beta' })
    answered.resolve()
    await way.updates.change({ automatic: false })
    expect(await way.until('current')).toEqual({ kind: 'current' })
    expect(way.told.filter(({ state }) => state.kind === 'ready')).toEqual([])
    expect(way.plans).toEqual([])
  })

  it('can be given up while they are fetched', async () => {
    const { updates, until } = updatesWith({
      download: (tell, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
          tell({ received: 500, rate: 100 })
        }),
    })
    await updates.check()
    expect(await until('downloading')).toMatchObject({ received: 500 })
    await updates.cancelDownload()
    await until('available')
  })

  it('are refused with a sentence where there are none', async () => {
    const updates = new Updates({
      ...{ version: '1', port: { kind: 'not-here', why: 'browser' }, tell: () => {}, log: noLog },
      cache: {
        readSetting: () => Promise.resolve('not what we wrote'),
        writeSetting: () => Promise.resolve(),
      },
      running: () => Promise.resolve({ transfers: 0, servers: 0 }),
      clock: heldClock().clock,
    })
    await expect(updates.check()).rejects.toMatchObject({ problem: { text: { key: 'update.browser' } } })
    expect(await updates.read()).toMatchObject({
      state: { kind: 'not-here' },
      channel: 'stable',
      automatic: true,
    })
  })
})

describe('where a panel can be updated', () => {
  it('follows from how it was installed', () => {
    const resources = mkdtempSync(join(tmpdir(), 'wheelhouse-resources-'))
    onTestFinished(() => rmSync(resources, { recursive: true }))
    const program = join(resources, 'wheelhouse')
    writeFileSync(program, '')
    const at = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}, packaged = true) => {
      const where = whereUpdated({ packaged, platform, resources, program, env })
      return where.kind === 'here' ? where.installer : where.why
    }
    expect(at('win32')).toBe('no-feed')
    writeFileSync(join(resources, 'app-update.yml'), '')
    expect(at('win32', {}, false)).toBe('not-installed')
    expect(at('win32')).toBe('nsis')
    expect(at('darwin')).toBe('mac')
    expect(at('linux')).toBe('not-installed')
    const own = { APPIMAGE: '/home/ann/Wheelhouse.AppImage', APPDIR: resources }
    expect(at('linux', own)).toBe('appimage')
    expect(at('linux', { ...own, APPIMAGE: 'Wheelhouse.AppImage' })).toBe('not-installed')
    // Started from inside another AppImage: its file is none of ours.
    expect(at('linux', { ...own, APPDIR: mkdtempSync(join(resources, 'other-')) })).toBe('not-installed')
    expect(at('linux', { APPIMAGE: own.APPIMAGE })).toBe('not-installed')
    writeFileSync(join(resources, 'package-type'), 'deb')
    expect(at('linux')).toBe('deb')
    expect(at('linux', own)).toBe('deb')
  })
})

describe('at the end of the panel', () => {
  const engine = (install: () => boolean): UpdateEngine => ({
    installs: 'quietly',
    check: () => Promise.resolve(null),
    download: () => Promise.resolve(),
    install,
  })
  const fails = engine(() => {
    throw new Error('no')
  })

  it('nothing is installed where the system ends it, which gives no time for that', () => {
    expect(carryOut('install', 'system', fails, () => expect.fail('It was tried.'))).toBe(false)
  })

  it('this version is started again where the new one could not be installed and was awaited', () => {
    const failed: unknown[] = []
    expect(carryOut('install-and-restart', 'person', fails, (error) => failed.push(error))).toBe(true)
    expect(carryOut('install', 'person', fails, (error) => failed.push(error))).toBe(false)
    expect(failed).toHaveLength(2)
    expect(
      carryOut(
        'install-and-restart',
        'person',
        engine(() => false),
        () => expect.fail(),
      ),
    ).toBe(false)
  })

  it('a new version that only whoever ends the program can start is started by that', () => {
    const left = engine(() => true)
    expect(carryOut('install-and-restart', 'person', left, () => expect.fail())).toBe(true)
  })

  it('nothing is installed where servers keep running, with the files of this version', () => {
    expect(carryOut('install', 'keeping', fails, () => expect.fail('It was tried.'))).toBe(false)
  })
})
