import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, it, onTestFinished, vi } from 'vitest'
import { checkTable, checked } from '../../build/scripts/check-table.js'
import { memoryStore } from '../../src/main/accounts/secret-store.ts'
import { createPanel } from '../../src/main/panel/panel.ts'
import { testPorts } from '../../src/main/panel/panel.fixture.ts'
import { updaterFor } from '../../src/main/updates/library-engine.ts'
import { NodeHttp } from '../../src/main/updates/node-http.fixture.ts'
import { installation } from '../doubles/update-feed.ts'
import type { WindowLink } from '../../src/main/base/windows.ts'
import { checksOf, FEED_VERSION } from './checks.ts'
import { findUpdate } from './find-update.ts'
import { type Row, tryAll } from './rows.ts'

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'check-'))
  onTestFinished(() => rm(made, { recursive: true }))
  return made
}
const system = { platform: 'linux', arch: 'x64', release: '6.1' }

it('a panel whose page, service and hand-over work has a row that says so for each', async () => {
  const dir = await folder()
  const panel = await createPanel({ ...testPorts(dir), way: 'electron', version: '1.2.3' })
  onTestFinished(() => panel.close())
  const link: WindowLink = { send: () => undefined, pressure: () => 0 }
  panel.attach(link)
  let picked: { path: string } | null = null
  const globals = {
    location: { origin: 'app://panel' },
    isSecureContext: true,
    document: {
      scripts: [{}],
      body: { append: () => undefined },
      createElement: () => ({}),
      getElementById: () => ({ files: [picked] }),
    },
    window: {
      panel: {
        call: (name: string, input: unknown) => panel.call(name, input, link),
        upload: async ({ to, files }: { to: object; files: { file: { path: string }; path: string }[] }) =>
          panel.upload({
            to,
            files: files.map(({ file, path }) => ({ file: file.path, path })),
            folders: [],
          }),
      },
    },
  }
  const rows: Row[] = []
  const checks = checksOf({
    page: async () => ({
      evaluate: async (script) => (await runInNewContext(script, globals)) as unknown,
      pick: async (_id, path) => void (picked = (await stat(path)) && { path }),
    }),
    secrets: memoryStore('This is a test.'),
    ...{ tray: () => true, notify: () => Promise.resolve(), update: () => Promise.resolve(FEED_VERSION) },
    folder: dir,
  })
  expect(checks.map(({ name }) => name)).toEqual(checked)
  await tryAll(checks, 20_000, (row) => rows.push(row))
  const outcomes = Object.fromEntries(rows.map(({ name, outcome, said }) => [name, `${outcome}: ${said}`]))
  expect(outcomes).toMatchObject({
    scheme: 'works: page: app://panel,true,true',
    'page without Node': 'works: string: undefined,undefined',
    preload: 'works: main answers the page, version 1.2.3',
    'keychain child': 'not-here: This is a test.',
    'service child': 'works: started and signed in',
    'file hand-over': 'works: size of the file: 43',
    updates: 'works: version: 999.0.0',
  })
})

it('an updater is asked at a place on this computer, and finds what it offers', async () => {
  const installed = await installation('http://127.0.0.1:1/', '1.0.0')
  vi.stubEnv('APPIMAGE', installed.program)
  onTestFinished(() => void vi.unstubAllEnvs())
  const updater = updaterFor('appimage', installed.app)
  Object.assign(updater, { httpExecutor: new NodeHttp() })
  expect(await findUpdate(updater, 'appimage')).toBe(FEED_VERSION)
})

it('a report that broke off is a table that names what was not reached', () => {
  const report = `${JSON.stringify({ name: 'scheme', outcome: 'works', said: 'a | b\nc', ms: 12 })}\n{"name":"prel`
  const { text, works } = checkTable(report, system)
  expect(works).toBe(false)
  expect(text.split('\n').slice(0, 6)).toEqual([
    'linux 6.1, x64',
    '',
    '| what | outcome | seen | took |',
    '| --- | --- | --- | --- |',
    '| scheme | works | a \\| b c | 12 ms |',
    '| page without Node | not reached | Electron ended before |  |',
  ])
  const all = checked.map((name) => JSON.stringify({ name, outcome: 'not-here', said: '', ms: 1 })).join('\n')
  expect(checkTable(all, system).works).toBe(true)
})
