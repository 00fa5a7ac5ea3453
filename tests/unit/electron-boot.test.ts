import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { at, node24, nodeFlags } from '../../build/scripts/project.js'
import { buildStale } from '../../build/scripts/stale.js'

const run = promisify(execFile)

let folder: string
beforeAll(() => buildStale(), 120_000)
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wheelhouse-boot-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs Electron's entry with a stand-in for Electron; answers what it came to. */
async function boot(data: string, env: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const program = at('tests/unit/electron-program.ts')
  const { stdout } = await run(node24(), [...nodeFlags, program, data], { env: { ...process.env, ...env } })
  return JSON.parse(stdout) as Record<string, unknown>
}

describe("Electron's entry, built, with a stand-in for Electron", () => {
  it('opens a window over a real panel, answers the page alone, and ends when the window is closed', async () => {
    const result = await boot(join(folder, 'data'))
    expect(result).toMatchObject({
      // Before Electron is ready, or it is too late.
      schemes: 1,
      sandboxed: true,
      paths: [
        ['userData', join(folder, 'data/window')],
        ['crashDumps', join(folder, 'data/crashes')],
      ],
      // Nothing is sent, whatever Electron's own default is.
      crashReports: [{ uploadToServer: false }],
      page: 200,
      info: { ok: true, value: { way: 'electron', version: '0.0.0' } },
      foreign: { ok: false, problem: { code: 'refused' } },
      changed: { ok: true, value: { theme: 'dark' } },
      theme: 'dark',
      // Servers would be asked about first.
      closePrevented: true,
      exits: [0],
      errors: [],
    })
    const kept = JSON.parse(await readFile(join(folder, 'data/window/window.json'), 'utf8'))
    expect(kept).toMatchObject({ theme: 'dark', places: [{ maximized: false }] })
  })

  it('opens a window again, and one alone, when it is activated without any, as on macOS', async () => {
    const { opened, exits } = await boot(join(folder, 'data'), { ACTIVATED: '1' })
    expect(opened).toEqual(['app://panel/index.html#/', 'app://panel/index.html#/'])
    expect(exits).toEqual([0])
  })

  it('leaves at once where another one holds the folder', async () => {
    expect(await boot(join(folder, 'data'), { OTHER_HOLDS: '1' })).toEqual({
      windows: 0,
      exits: [0],
      errors: [],
    })
  })

  it('runs the service alone as --service: no window, no question, a file for this user alone, and an end in order', async () => {
    const data = join(folder, 'data')
    expect(await boot(data, { SERVICE: '1' })).toEqual({
      windows: 0,
      paths: [['userData', join(data, 'window/service')]],
      started: ['--data', join(data, 'service'), '--port', '0', '--parent', '--parent-proxy'],
      received: [{ type: 'stop' }],
      mode: '600',
      quitPrevented: true,
      isToldStill: false,
      exits: [0],
      errors: [],
      asked: 0,
    })
  })

  it('says in a box why it cannot start', async () => {
    await writeFile(join(folder, 'file'), '')
    const { exits, errors } = await boot(join(folder, 'file'))
    expect(exits).toEqual([1])
    expect(errors).toEqual([
      { title: 'Wheelhouse could not start', content: expect.stringContaining('file') },
    ])
  })

  it('says in a box why it cannot start where that shows after Electron is ready', async () => {
    const { exits, errors } = await boot(join(folder, 'data'), { NO_PAGE: '1' })
    expect(exits).toEqual([1])
    expect(errors).toEqual([{ title: 'Wheelhouse could not start', content: 'The page cannot be served.' }])
  })

  it('tells of an error that nobody caught, writes it down, and ends in order', async () => {
    const { exits, asked } = await boot(join(folder, 'data'), { THROWS: '1' })
    expect(exits).toEqual([1])
    expect(asked).toEqual(['Wheelhouse had an internal error and is closing.'])
    expect(await readFile(join(folder, 'data/logs/panel.log'), 'utf8')).toContain('nobody catches this')
    // Its lock is the system's and would have gone anyway; who held it is removed in order only.
    expect(existsSync(join(folder, 'data/panel.holder.json'))).toBe(false)
  })

  it('keeps no compiled code anywhere, least of all where another user could place some', async () => {
    const temporary = join(folder, 'tmp')
    await mkdir(temporary)
    await boot(join(folder, 'data'), { TMPDIR: temporary, NODE_COMPILE_CACHE: '' })
    expect(await readdir(temporary)).toEqual([])
  })
})
