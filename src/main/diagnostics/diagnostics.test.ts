import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { answerJson, oddService } from '../../../tests/doubles/services/odd-service.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import { openLog } from '../logging/open-log.ts'
import { createPanel } from '../panel/panel.ts'
import { openWindow, testPorts } from '../panel/panel.fixture.ts'
import { BUNDLE_MOST, bundle, type Facts } from './bundle.ts'
import { Cleaner } from './cleaner.ts'
import { crashDumps, DUMPS_DAYS, DUMPS_MOST, sweepCrashDumps } from './crash-dumps.ts'
import { type EntryFormat, toldEntry, lastLines } from './log-entries.ts'

const programFiles = new Set(['index.js', 'databases.js'])
const plain: EntryFormat = {
  cleaner: new Cleaner({ connections: [], names: [], hosts: false }),
  programFiles,
}
const told = (entry: unknown, telling = plain) => toldEntry(JSON.stringify(entry), telling)?.text ?? null
const at = { level: 50, time: 1_800_000_000_000 }

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'diagnostics-'))
  onTestFinished(() => rm(made, { recursive: true }))
  return made
}

/** Facts in which a secret stands in every place that can hold a text at all, whatever the types say. */
function factsWith(secret: string): Facts {
  const problem = {
    ...{ code: 'offline', message: secret, serviceCode: secret, detail: secret, retryable: true },
    ...{ fields: { [secret]: [secret] }, logId: secret },
  } as Problem
  const planted = secret as never
  const dump = { name: secret, path: secret, at: 1, bytes: 1 }
  const connection = { id: secret, kind: 'service' as const, baseUrl: `https://${secret}.example/api/v1` }
  const update = { version: secret, notes: secret, releasedAt: secret, size: 1 }
  return {
    ...{ now: 1, version: secret, way: planted, local: planted, keychain: secret, notes: 1 },
    system: { platform: secret, arch: secret, release: secret, cores: 4, memoryBytes: 1 },
    programs: { node: secret, electron: secret, [secret]: '1.2.3' },
    settings: { theme: planted, language: planted, timestamps: planted, playersOn: planted },
    choices: { tray: planted, autostart: planted, keepServers: planted, alerts: { [secret]: true } as never },
    updates: {
      ...{
        version: secret,
        channel: planted,
        automatic: planted,
        checkedAt: secret,
      },
      state: { kind: 'failed', during: 'check', problem, update },
    },
    connections: [
      {
        connection: {
          ...connection,
          ...{ state: { kind: 'offline', problem, since: secret }, tokenKept: planted, expiresAt: secret },
        },
        ...{ servers: { [secret]: 2 }, drifts: 0, profile: false },
      },
    ],
    transfers: { [secret]: 1 },
    dumps: [dump],
    entries: [entryWith(secret)].flatMap((entry) => toldEntry(JSON.stringify(entry), plain) ?? []),
  }
}

const entryWith = (secret: string) => {
  const stack = `Error: ${secret}\n    at ${secret} (/home/${secret}/out/main/index.js:1:2)\n    at x (${secret}:1:1)\n    at node:${secret}:1:1`
  const error = {
    type: secret,
    message: secret,
    stack,
    code: secret,
    problem: { code: secret, message: secret },
  }
  return {
    ...{
      ...at,
      msg: 'something failed',
      logId: secret,
      connectionId: secret,
      during: secret,
      length: secret,
    },
    ...{ trouble: [secret], said: secret, [secret]: secret, file: `/home/${secret}/cache.db` },
    error: { ...error, cause: { ...error, cause: { a: { b: [secret] } } } },
  }
}

/** Eight letters and digits at least: no word of ours and no date holds one. */
const secrets = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{6,20}Zq7[A-Za-z0-9_-]{1,20}$/),
  fc.stringMatching(/^[A-Z][a-z]{3,9}_?[0-9]{3,6}xQ$/),
)

describe('what is told', () => {
  it('holds no secret, wherever one was planted', () => {
    fc.assert(
      fc.property(secrets, (secret) => {
        const facts = factsWith(secret)
        expect(facts.entries).toHaveLength(1)
        for (const hosts of [false, true]) {
          const text = bundle(facts, plain.cleaner, hosts).toLowerCase()
          // As a host of a service it is told where that was chosen, there alone.
          const rest = hosts ? text.replace(`https: ${secret}.example`.toLowerCase(), '') : text
          expect(rest).not.toContain(secret.toLowerCase())
        }
      }),
      { numRuns: 200 },
    )
  })

  it('names no computer, person or host in a message of the log, in none of the ways it can be written', () => {
    const connection = {
      ...{
        id: 'one',
        kind: 'service' as const,
        name: 'panel.ann.example',
        baseUrl: 'https://panel.ann.example:8443/api/v1',
      },
      user: { name: 'Ann Smith', email: 'ann@mail.example' },
    }
    const cleaner = new Cleaner({ connections: [connection], names: ['/home/ann', 'ann-desk'], hosts: false })
    const msg = (said: string) => told({ ...at, msg: said }, { cleaner, programFiles })!.slice(31)
    expect(msg('reached panel.ann.example as Ann Smith')).toBe('reached [name] as [name]')
    expect(msg('from 192.168.7.44:25565, and 2001:db8::7')).toBe(
      'from [address of a computer], and [address of a computer]',
    )
    expect(msg('on [fe80::1%eth0]:80 and ::1')).not.toMatch(/fe80|::1/)
    expect(msg('to https://10.1.2.3/x?code=1 by bob@mail.example')).toBe('to [address] by [mail address]')
    expect(msg('at /home/ann/worlds/x.dat and C:\\Users\\Bob\\x.dat')).toBe('at [path] and [path]')
    expect(msg('player 069a79f4-44e9-4726-a5be-fca90e38aaf5')).toBe('player [id]')
    // What stands in the middle of another word is none of it.
    expect(msg('it cannot be kept, 3 of 12 are left')).toBe('it cannot be kept, 3 of 12 are left')
    expect(told({ ...at, msg: 'x', connectionId: 'one' }, { cleaner, programFiles })).toContain(
      'connection=service 1',
    )
  })

  it('says of an error what it is and where it was, and of what the engine says only what quotes nothing', () => {
    const stack =
      'TypeError: x\n    at Foo.bar (file:///opt/app/out/main/index.js:12:34)\n    at /srv/own.js:1:1\n    at async node:fs:9:9'
    const error = {
      type: 'TypeError',
      message: "Cannot read properties of undefined (reading 'Notch')",
      stack,
    }
    const refused = { type: 'Error', message: 'connect ECONNREFUSED 10.0.0.7:1', code: 'ECONNREFUSED' }
    expect(told({ ...at, msg: 'it failed', error: { ...error, cause: refused }, logId: 'abcdefgh' })).toBe(
      [
        '2027-01-15T08:00:00.000Z error it failed logId=abcdefgh',
        'TypeError “Cannot read properties of undefined”',
        '  at index.js:12:34 < node:fs',
        'caused by Error ECONNREFUSED',
      ].join('\n  '),
    )
    expect(told({ ...at, msg: 'x', err: { type: 'PanelProblem', problem: { code: 'offline' } } })).toContain(
      'PanelProblem problem offline',
    )
  })

  it('leaves out what is no entry of the log', () => {
    for (const line of ['', 'text', '[]', '"x"', 'null', '{"level":30}', '{"level":35,"time":1,"msg":"x"}'])
      expect(toldEntry(line, plain)).toBeNull()
  })

  it('is bounded, and of a long log tells the newest', () => {
    const entries = Array.from({ length: 5000 }, (_, n) => ({
      level: 30,
      text: `entry ${n} ${'x'.repeat(100)}`,
    }))
    const text = bundle({ ...factsWith('x'), entries }, plain.cleaner, false)
    expect(text.length).toBeLessThanOrEqual(BUNDLE_MOST)
    expect(text).toContain('entry 4999 ')
    expect(text).not.toContain('entry 1 ')
  })
})

it('reads the end of a log alone, and no file that is none', async () => {
  const dir = await folder()
  const [old, now] = [join(dir, 'panel.log.1'), join(dir, 'panel.log')]
  await writeFile(old, Array.from({ length: 20_000 }, (_, n) => `old ${n} ${'x'.repeat(40)}\n`).join(''))
  await writeFile(now, 'one\ntwo\nhalf')
  const lines = await lastLines([old, now], 4)
  expect(lines.map((line) => line.slice(0, 9))).toEqual(['old 19998', 'old 19999', 'one', 'two'])
  const all = await lastLines([old], 100_000)
  expect(all.length).toBeLessThan(10_000)
  expect(all.every((line) => line.startsWith('old '))).toBe(true)
  expect(await lastLines([dir, join(dir, 'none')], 4)).toEqual([])
})

it('keeps few crash dumps, none for long, and nothing beside one that goes', async () => {
  const dir = await folder()
  await mkdir(join(dir, 'pending'))
  const name = (n: number) => `069a79f4-44e9-4726-a5be-fca90e38aa${10 + n}.dmp`
  const now = Date.now()
  for (let n = 0; n < DUMPS_MOST + 3; n++) {
    const path = join(dir, 'pending', name(n))
    await writeFile(path, 'dump')
    await writeFile(path.replace('.dmp', '.meta'), 'about')
    await utimes(path, (now - n * 60_000) / 1000, (now - n * 60_000) / 1000)
  }
  await writeFile(join(dir, 'settings.dat'), '')
  expect((await crashDumps(dir)).map((dump) => dump.name)).toContain(name(DUMPS_MOST + 2))
  await sweepCrashDumps(dir, now)
  expect((await crashDumps(dir)).map((dump) => dump.name)).toEqual(
    Array.from({ length: DUMPS_MOST }, (_, n) => name(n)),
  )
  expect(await readdir(join(dir, 'pending'))).toHaveLength(2 * DUMPS_MOST)
  await sweepCrashDumps(dir, now + (DUMPS_DAYS + 1) * 24 * 60 * 60_000)
  expect(await readdir(join(dir, 'pending'))).toEqual([])
  expect(await readdir(dir)).toContain('settings.dat')
  await sweepCrashDumps(join(dir, 'none'), now)
})

it('a panel tells how it stands, without who and where, and saves what was shown', async () => {
  const dir = await folder()
  const service = await oddService({
    'GET /users/me': (_request, response) =>
      answerJson(response, { id: 'u', name: 'Ann', email: 'ann@x.example' }),
    'GET /servers': (_request, response) =>
      answerJson(response, { items: [{ id: 'a', name: 'Secret base', status: 'online' }] }),
  })
  const log = openLog({ folder: join(dir, 'logs') })
  const crashFolder = join(dir, 'crashes')
  const panel = await createPanel({
    ...testPorts(dir),
    version: '1.2.3',
    log,
    crashFolder,
    downloadsFolder: join(dir, 'D'),
  })
  onTestFinished(async () => {
    await panel.close()
    await log.close()
    await service.close()
  })
  const window = openWindow(panel)
  const { id } = await window.call('connections.use-token', {
    baseUrl: service.baseUrl,
    token: 'wh_secretToken1',
  })
  await window.view('servers.list', { connectionId: id })
  await window.until('view', ({ view, now }) => view === 'servers.list' && now.value !== null)
  log.warn('the event stream failed', { connectionId: id, error: new Error('Notch at 10.9.8.7') })
  await log.flush()

  const { port } = new URL(service.baseUrl)
  const { text, crashes } = await window.call('diagnostics.read', { hosts: false })
  expect(text).toContain('version: 1.2.3')
  expect(text).toMatch(/service 1: http:, ready, token: memory, .*servers: online 1,/)
  expect(text).toMatch(/warn the event stream failed connection=service 1\n {2}Error\n/)
  expect(text).not.toMatch(
    new RegExp(`Ann|secretToken|Secret base|Notch|127\\.0|10\\.9\\.8|${port}|${id}|${dir}`),
  )
  expect(crashes).toBe(0)

  const named = await window.call('diagnostics.read', { hosts: true })
  expect(named.text).toContain(`service 1: http: an IPv4 address, port ${port},`)
  const { path } = await window.call('diagnostics.save', { id: named.id })
  expect(await readFile(path, 'utf8')).toBe(named.text)
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600)
  for (let n = 0; n < 4; n++) await window.call('diagnostics.read', { hosts: false })
  await expect(window.call('diagnostics.save', { id: named.id })).rejects.toThrow('too long ago')
})

it('messages of the log are sentences of this program, with nothing put into them', async () => {
  const root = new URL('..', import.meta.url)
  const files = (await readdir(root, { recursive: true })).filter((name) =>
    /(?<!test|fixture)\.ts$/.test(name),
  )
  const wrong: string[] = []
  let seen = 0
  for (const name of files) {
    const text = await readFile(new URL(name.replaceAll('\\', '/'), root), 'utf8')
    for (const [call, first] of text.matchAll(/\b#?log\??\.(?:debug|info|warn|error)\(\s*(\S)/g)) {
      seen++
      if (first !== "'" && !name.startsWith('logging')) wrong.push(`${name}: ${call}`)
    }
  }
  expect(seen).toBeGreaterThan(20)
  expect(wrong).toEqual([])
})
