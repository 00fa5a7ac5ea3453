import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { existsSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { extractAll, listPackage, statFile } from '@electron/asar'
import { flipFuses, FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { offerFill } from '../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../tests/doubles/catalogs/catalog-server.ts'
import { pluginJar } from '../../tests/fixtures/extension-jar.ts'
import { javaServerJar } from '../../tests/doubles/java-server.ts'
import { at, environment, node24, nodeFlags } from '../scripts/project.js'
import { parse } from 'yaml'
import { feedArguments } from './feed.js'
import { fuses } from './fuses.js'
import { buildStale } from '../scripts/stale.js'
import { startPackedService } from './packed-service.fixture.ts'

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

/** What the listing says of a built file: one line for all chunks of a kind, since each refactoring cuts them differently. */
const listedAs = (name: string) =>
  name
    .replace(/^(\/out\/main\/shared)-.+-[\w-]{8}(\.js)$/, '$1-*$2')
    .replace(/^(\/out\/renderer\/assets\/).+-[\w-]{7,8}(\.(?:js|css))$/, '$1*$2')
    .replace(/-[\w-]{8}(\.(?:woff2|svg))$/, '-*$1')

function pack(electron: string, output: string) {
  const options = [
    '--linux',
    '--dir',
    '--x64',
    '-c.electronDist=' + electron,
    '-c.directories.output=' + output,
    ...feedArguments({
      provider: 'generic',
      url: 'https://updates.example.com/wheelhouse/',
      channel: 'latest',
    }),
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

  it('holds every program and worker that is built, but those of development', async () => {
    const built = (await readdir(at('out/main'))).filter((name) => name.endsWith('.js'))
    const wanted = built.filter((name) => !/^((demo|flood)-launcher|check-electron)\.js$/.test(name))
    expect(wanted).toContain('jar-worker.js')
    const there = names.flatMap((name) => /^\/out\/main\/([^/]+\.js)$/.exec(name)?.[1] ?? [])
    expect(there.sort()).toEqual(wanted.sort())
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

  it('holds of our own nothing but what is built: what runs, what loads it, and the page', () => {
    const ours = names.filter((name) => !name.startsWith('/node_modules') && /\.\w+$/.test(name))
    const kinds = ours.map((name) =>
      name
        .replace(/^\/out\/main\/shared-.+\.js$/, '/out/main/shared-*.js')
        .replace(/^\/out\/renderer\/assets\/.+(\.\w+)$/, '/out/renderer/assets/*$1'),
    )
    const wanted = [
      '/out/main/*.js of its own',
      ...[
        '/out/main/shared-*.js',
        '/out/preload/index.cjs',
        '/out/renderer/browser.html',
        '/out/renderer/index.html',
      ],
      ...['css', 'js', 'svg', 'woff2'].map((kind) => `/out/renderer/assets/*.${kind}`),
      '/package.json',
    ]
    const entry = /^\/out\/main\/[a-z-]+\.js$/
    expect([...new Set(kinds.map((name) => (entry.test(name) ? wanted[0] : name)))].sort()).toEqual(
      wanted.sort(),
    )
  })

  it('holds exactly the files that are listed: ours by name or kind, packages by name', async () => {
    const isFile = ({ files, link }: { files?: unknown; link?: unknown }) =>
      files === undefined && link === undefined
    const archive = join(packed, 'resources/app.asar')
    const files = names
      .map((name) => name.replaceAll('\\', '/'))
      .filter(
        (name) => !name.startsWith('/node_modules') && isFile(statFile(archive, name.slice(1)) as object),
      )
    const packages = names.flatMap(
      (name) => /^\/node_modules\/((?:@[^/]+\/)?[^/@]+)\/package\.json$/.exec(name)?.[1] ?? [],
    )
    const beside = await readdir(packed, { recursive: true, withFileTypes: true })
    const outside = beside
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(packed.length))
    const list = [
      ...['# Of our own, in the archive', ...new Set(files.map(listedAs).sort())],
      ...['# Packages in it', ...packages.sort()],
      ...['# Beside it', ...outside.sort()],
    ]
    // Update it after an intended change: npm test -- --unit build/packaging -u
    await expect(`${list.join('\n')}\n`).toMatchFileSnapshot('packed-files.txt')
  })

  it('holds of packages no tests, no source maps, no types, no documents but their licenses, and nothing to compile', () => {
    const wrong =
      /\/(tests?|__tests__|docs|examples?|benchmarks?|coverage|\.github|\.vscode)\/|\.(map|md|markdown|[cm]?ts|tsx|flow|gypi?|cc|cpp|h|o|mk|html|tgz|lock)$|\/(readme|changelog|history|contributing|makefile|\.(npmignore|eslintrc|editorconfig|travis)[^/]*)$/i
    const packages = names
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => name.startsWith('/node_modules/'))
    expect(packages.length).toBeGreaterThan(500)
    expect(packages.filter((name) => wrong.test(name))).toEqual([])
  })

  it('takes no more than 12 MB for what is our own', () => {
    const archive = join(packed, 'resources/app.asar')
    const bytes = names
      .filter((name) => !name.startsWith('/node_modules') && /\.\w+$/.test(name))
      .map((name) => statFile(archive, name.slice(1)) as { size?: number })
      .reduce((sum, { size = 0 }) => sum + size, 0)
    expect(bytes).toBeGreaterThan(1024 * 1024)
    expect(bytes).toBeLessThan(12 * 1024 * 1024)
  })

  it('holds nothing that looks like a secret, nor files of one', () => {
    expect(
      names.filter((name) => /(^|\/)(\.env|\.npmrc|id_rsa)|\.(pem|p12|pfx|key|mobileprovision)$/.test(name)),
    ).toEqual([])
    const alone = join(folder, 'secrets')
    extractAll(join(packed, 'resources/app.asar'), alone)
    const text = readFileSync(join(alone, 'package.json'), 'utf8')
    expect(JSON.parse(text)).not.toHaveProperty('scripts')
    expect(text).not.toMatch(/npm_|token|password/i)
  })

  it('holds in none of our files a key, a token of a registry, or a path of the computer it was built on', () => {
    const alone = join(folder, 'secrets')
    const told =
      /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/]{20}|\b(npm|ghp|gho|ghs)_[A-Za-z0-9]{36}\b|\bAKIA[A-Z0-9]{16}\b/
    const ours = names.filter(
      (name) => !name.startsWith('/node_modules') && /\.(c?js|html|css|json|svg)$/.test(name),
    )
    expect(ours.length).toBeGreaterThan(30)
    const wrong = ours.filter((name) => {
      const text = readFileSync(join(alone, name), 'utf8')
      return told.test(text) || text.includes(at()) || text.includes(homedir() + '/')
    })
    expect(wrong).toEqual([])
  })

  it('asks for updates where its build was told, and keeps them in a folder of its own', async () => {
    const told: unknown = parse(await readFile(join(packed, 'resources/app-update.yml'), 'utf8'))
    expect(told).toEqual({
      ...{ provider: 'generic', url: 'https://updates.example.com/wheelhouse/', channel: 'latest' },
      updaterCacheDirName: 'wheelhouse-updater',
    })
    expect(names).toEqual(expect.arrayContaining(['/node_modules/electron-updater/package.json']))
  })

  it('keeps the native part of keytar outside of the archive', () => {
    expect(
      existsSync(join(packed, 'resources/app.asar.unpacked/node_modules/keytar/build/Release/keytar.node')),
    ).toBe(true)
  })

  it('holds a service that installs a Java server from its catalog, knows its plugins, runs it and stops it', async () => {
    // Far from the project, whose packages would be found in place of those that were not packed.
    const alone = join(folder, 'alone')
    extractAll(join(packed, 'resources/app.asar'), alone)
    const data = join(folder, 'data')
    const version = '1.20.4'
    const catalogs = await CatalogServer.start()
    onTestFinished(() => catalogs.stop())
    const jar = await readFile(await javaServerJar({ kind: 'paper', version, build: '499' }))
    offerFill(catalogs, 'paper', [{ id: version, java: 17, builds: [{ id: 499, jar }] }])
    await mkdir(data, { mode: 0o700 })
    await writeFile(join(data, 'catalogs.json'), JSON.stringify(catalogs.settings))

    const { ask, end } = await startPackedService(join(alone, 'out/main/service.js'), data)
    const kinds = (await ask('GET /software')) as { items: { id: string }[] }
    expect(kinds.items.map(({ id }) => id)).not.toContain('demo')
    const server = { name: 'Packed', software: { id: 'paper', version }, memoryMb: 512, acceptLicense: true }
    const { id } = (await ask('POST /servers', server)) as { id: string }
    const reaches = (wanted: string) =>
      expect.poll(() => ask(`GET /servers/status/${id}`)).toMatchObject({ status: wanted })
    await reaches('offline')
    const plugins = join(data, 'servers', id, 'plugins')
    await mkdir(plugins)
    await writeFile(join(plugins, 'shop.jar'), await pluginJar({ name: 'Shop', version: '2.0' }))
    await ask(`POST /servers/power/${id}`, { action: 'start' })
    await reaches('online')
    expect(await ask(`GET /servers/extensions/${id}`)).toMatchObject({
      items: [expect.objectContaining({ name: 'Shop', version: '2.0' })],
    })
    await ask(`POST /servers/power/${id}`, { action: 'stop' })
    await reaches('offline')
    expect(await end()).toBe('')
  })

  it('starts as it was packed, up to its window and the page in it, with a stand-in for Electron', async () => {
    const alone = join(folder, 'alone-main')
    extractAll(join(packed, 'resources/app.asar'), alone)
    const program = at('tests/unit/electron-program.ts')
    const { stdout } = await run(node24(), [...nodeFlags, program, join(folder, 'panel')], {
      env: { ...environment(), MAIN_PROGRAM: join(alone, 'out/main/index.js') },
    })
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ page: 200, sandboxed: true, exits: [0], errors: [] },
      info: { ok: true, value: { way: 'electron' } },
    })
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
