import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { electronExecutable, type Machine, PATIENT } from './electron-executable.js'

let folder: string
let fetches: number
let machine: Machine
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wheelhouse-electron-'))
  fetches = 0
  machine = {
    platform: 'linux',
    env: { DISPLAY: ':0' },
    root: false,
    folder,
    failure: join(folder, 'cache/failed'),
    now: () => 1e12,
    fetch: () => {
      fetches += 1
      return Promise.resolve(false)
    },
  }
})
afterEach(() => rm(folder, { recursive: true }))

async function install(): Promise<boolean> {
  await mkdir(join(folder, 'dist'))
  await writeFile(join(folder, 'path.txt'), 'electron')
  await writeFile(join(folder, 'dist/electron'), '')
  return true
}

describe("Electron's executable", () => {
  it('is found where it was installed, without a fetch', async () => {
    await install()
    expect(await electronExecutable(machine)).toEqual({ file: join(folder, 'dist/electron') })
    expect(fetches).toBe(0)
  })

  it('is found in the folder that an environment variable names, and looked for nowhere else then', async () => {
    machine.env['ELECTRON_OVERRIDE_DIST_PATH'] = join(folder, 'own')
    expect(await electronExecutable(machine)).toHaveProperty('reason')
    await mkdir(join(folder, 'own'))
    await writeFile(join(folder, 'own/electron'), '')
    expect(await electronExecutable(machine)).toEqual({ file: join(folder, 'own/electron') })
    expect(fetches).toBe(0)
  })

  it('is fetched where it is missing', async () => {
    machine.fetch = install
    expect(await electronExecutable(machine)).toEqual({ file: join(folder, 'dist/electron') })
  })

  it('is not fetched again for a day after that failed', async () => {
    await electronExecutable(machine)
    await electronExecutable(machine)
    expect(fetches).toBe(1)
    machine.now = () => 1e12 + 25 * 3600 * 1000
    await electronExecutable(machine)
    expect(fetches).toBe(2)
  })

  it('is given minutes where somebody wants it and nothing else, and is tried in spite of an earlier failure', async () => {
    const limits: number[] = []
    machine.fetch = (timeout) => Promise.resolve(limits.push(timeout) < 0)
    expect(await electronExecutable(machine)).toHaveProperty('reason', expect.stringContaining('within 20 s'))
    const patient = await electronExecutable(machine, PATIENT)
    expect(patient).toHaveProperty('reason', expect.stringContaining('within 600 s'))
    expect(limits).toEqual([20_000, 600_000])
  })

  it('is not fetched where no window could be shown: without a display, and as root', async () => {
    expect(await electronExecutable({ ...machine, env: {} })).toEqual({ reason: 'There is no display' })
    expect(await electronExecutable({ ...machine, root: true })).toEqual({
      reason: 'Electron does not run as root',
    })
    expect(fetches).toBe(0)
  })
})
