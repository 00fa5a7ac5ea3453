import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { listPackage } from '@electron/asar'
import { flipFuses, FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, environment, node24 } from '../scripts/project.js'
import { fuses } from './fuses.js'
import { buildStale } from '../scripts/stale.js'

const run = promisify(execFile)
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

let folder: string
let packed: string
let names: string[]

/** A folder that looks like Electron's, with a fuse wire as a new one has it: everything on. */
async function standInElectron(folder: string, fuses: number): Promise<void> {
  for (const name of ['locales', 'resources']) await mkdir(join(folder, name), { recursive: true })
  const wire = Buffer.concat([Buffer.from(sentinel), Buffer.from([1, fuses]), Buffer.alloc(fuses, '1')])
  await writeFile(join(folder, 'electron'), wire)
  await chmod(join(folder, 'electron'), 0o755)
  for (const name of ['version', 'LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'locales/en-US.pak'])
    await writeFile(join(folder, name), '')
}

function pack(electron: string, output: string) {
  const options = [
    '--linux',
    '--dir',
    '--x64',
    '-c.electronDist=' + electron,
    '-c.directories.output=' + output,
  ]
  const program = at('node_modules/electron-builder/cli.js')
  return run(node24(), [program, '--config', at('build/electron-builder.yml'), ...options], {
    cwd: at(),
    env: environment(),
  })
}

describe.runIf(process.platform === 'linux')('the packed panel', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wheelhouse-pack-'))
    await buildStale()
    await standInElectron(join(folder, 'electron'), 9)
    await pack(join(folder, 'electron'), join(folder, 'dist'))
    packed = join(folder, 'dist/linux-unpacked')
    names = listPackage(join(packed, 'resources/app.asar'), { isPack: false })
  }, 300_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('holds the built programs, the page and what they load', () => {
    expect(names).toEqual(
      expect.arrayContaining([
        '/package.json',
        '/out/main/index.js',
        '/out/main/service.js',
        '/out/main/databases.js',
        '/out/main/keychain-child.js',
        '/out/preload/index.cjs',
        '/out/renderer/index.html',
        '/node_modules/zod/package.json',
        '/node_modules/hono/package.json',
      ]),
    )
  })

  it('holds no source, no test, no map of ours and nothing of development', () => {
    const ours = names.filter((name) => !name.startsWith('/node_modules'))
    expect(
      ours.filter((name) => /^\/(src|tests|build|docs|\.ci)\b|\.map$|\.test\.|\.stamp$/.test(name)),
    ).toEqual([])
    const packages = names.filter((name) =>
      /^\/node_modules\/(flying-squid|mineflayer|electron|vite|svelte|node)$/.test(name),
    )
    expect(packages).toEqual([])
  })

  it('keeps the native part of keytar outside of the archive', () => {
    expect(
      existsSync(join(packed, 'resources/app.asar.unpacked/node_modules/keytar/build/Release/keytar.node')),
    ).toBe(true)
  })

  it('has every fuse set as stated', async () => {
    const wire = await getCurrentFuseWire(join(packed, 'wheelhouse'))
    const { ENABLE, DISABLE } = FuseState
    expect(wire).toMatchObject({
      [FuseV1Options.RunAsNode]: DISABLE,
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: DISABLE,
      [FuseV1Options.EnableNodeCliInspectArguments]: DISABLE,
      [FuseV1Options.EnableCookieEncryption]: ENABLE,
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: ENABLE,
      [FuseV1Options.OnlyLoadAppFromAsar]: ENABLE,
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: DISABLE,
      [FuseV1Options.GrantFileProtocolExtraPrivileges]: DISABLE,
      [FuseV1Options.WasmTrapHandlers]: ENABLE,
    })
  })

  it('is not packed with an Electron that has a fuse nobody stated', async () => {
    await standInElectron(join(folder, 'newer'), 10)
    await expect(flipFuses(join(folder, 'newer/electron'), fuses)).rejects.toThrow('strictlyRequireAllFuses')
  })
})
