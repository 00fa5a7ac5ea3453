import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { offerFabric, offerFill, offerVanilla } from '../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../tests/doubles/catalogs/catalog-server.ts'
import { ExtensionCatalogs } from '../../tests/doubles/catalogs/extension-catalogs.ts'
import { pluginJar } from '../../tests/fixtures/extension-jar.ts'
import { javaServerJar } from '../../tests/doubles/java-server.ts'
import { makePack } from '../../tests/fixtures/modpack.ts'
import { at, environment, node24 } from '../scripts/project.js'
import { startPackedService } from './packed-service.fixture.ts'

const run = promisify(execFile)

const GAME = '1.20.4'
const LOADER = '0.16.9'

const namesIn = (at: string): Promise<string[]> => readdir(at).catch(() => [])

/** Paper with a plugin, and a pack for Fabric with a mod. */
async function offerAll(catalogs: CatalogServer) {
  const paper = await readFile(await javaServerJar({ kind: 'paper', version: GAME, build: '499' }))
  const entries = { 'install.properties': `game-version=${GAME}\nfabric-loader-version=${LOADER}\n` }
  const fabric = await readFile(
    await javaServerJar({ kind: 'fabric', version: GAME, build: LOADER, entries }),
  )
  offerFill(catalogs, 'paper', [{ id: GAME, java: 17, builds: [{ id: 499, jar: paper }] }])
  offerVanilla(catalogs, [{ id: GAME, java: 17 }])
  offerFabric(catalogs, {
    games: [{ version: GAME, stable: true }],
    loaders: [{ version: LOADER, stable: true }],
    jars: { [`${GAME}/${LOADER}`]: fabric },
  })
  const offered = new ExtensionCatalogs(catalogs)
  const shop = await offered.offer({
    ...{ catalog: 'modrinth', name: 'Shop', games: [GAME], versions: [{ name: '1.0' }] },
  })
  const lithium = await offered.offer({
    ...{ catalog: 'modrinth', name: 'Lithium', games: [GAME], loaders: ['fabric'] },
    versions: [{ name: '1.0', jar: await pluginJar({ name: 'Lithium', version: '1.0', form: 'fabric' }) }],
  })
  const { jar: bytes, url, fileName } = lithium.versions[0]!
  const jar = await makePack({ files: [{ path: `mods/${fileName}`, bytes, url }] })
  const pack = await offered.offer({
    ...{ catalog: 'modrinth', name: 'Cozy Pack', games: [GAME], loaders: ['fabric'], isPack: true },
    versions: [{ name: '1.0', jar }],
  })
  return {
    plugin: { project: shop.id, versionId: shop.versions[0]!.id },
    pack: { versionId: pack.versions[0]!.id },
  }
}

let folder: string
let archive: string
let unpacked: string
let names: string[]

describe.runIf(process.platform === 'linux')('the package of the service', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wheelhouse-service-package-'))
    const { stdout } = await run(node24(), [at('build/scripts/package-service.js'), folder], {
      env: environment(),
    })
    archive = stdout.trim().split('\n').at(-1)!
    const list = await run('tar', ['-tzf', archive])
    names = list.stdout
      .trim()
      .split('\n')
      .map((name) => name.slice(name.indexOf('/') + 1))
    await run('tar', ['-xzf', archive, '-C', folder])
    unpacked = archive.replace(/\.tar\.gz$/, '')
  }, 300_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('holds its program with what it loads, and nothing of the panel, of tests or of development', () => {
    const ours = names.filter((name) => !/^(node_modules|out\/main\/shared-)/.test(name))
    expect(ours).toEqual([
      'package.json',
      'Dockerfile',
      'LICENSE',
      'README.md',
      ...['google', 'headless', 'kept-files', 'promocodes', 'reverse-proxy'].map((name) => `docs/${name}.md`),
      ...['limits', 'mail', 'operations', 'settings'].map((name) => `docs/service-${name}.md`),
      'docs/service.md',
      ...['claim-worker', 'hash-worker', 'jar-worker', 'search-worker', 'service'].map(
        (name) => `out/main/${name}.js`,
      ),
      'wheelhouse-service',
      'wheelhouse-service.service',
    ])
    const packages = new Set(
      names.flatMap((name) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? []),
    )
    expect([...packages]).toEqual(expect.arrayContaining(['@tus/server', 'nodemailer', 'yauzl']))
    for (const absent of ['electron', 'electron-updater', 'keytar', 'svelte', 'flying-squid'])
      expect(packages).not.toContain(absent)
    expect(names.filter((name) => /\.map$|\.test\.|(^|\/)(tests?|\.env)(\/|$)/.test(name))).toEqual([])
  })

  it('holds of every package what it takes to load it', async () => {
    const { dependencies } = JSON.parse(await readFile(at('package.json'), 'utf8')) as {
      dependencies: object
    }
    const packages = Object.keys(dependencies).filter((name) =>
      names.includes(`node_modules/${name}/package.json`),
    )
    expect(packages).toContain('yaml')
    const load = `for (const name of ${JSON.stringify(packages)}) await import(name)`
    const options = { cwd: unpacked, env: environment() }
    expect((await run(node24(), ['--input-type=module', '--eval', load], options)).stderr).toBe('')
  })

  it('is as small as a download should be, and its checksum stands beside it', async () => {
    expect((await stat(archive)).size).toBeLessThan(8 * 1024 * 1024)
    const sum = createHash('sha256')
      .update(await readFile(archive))
      .digest('hex')
    expect((await readFile(`${archive}.sha256`, 'utf8')).split(' ')[0]).toBe(sum)
  })

  it('runs by itself, creates an account and offers what a server can be made of', async () => {
    const data = join(folder, 'data')
    await mkdir(data, { mode: 0o700 })
    const { ask, end } = await startPackedService(join(unpacked, 'out/main/service.js'), data)
    const { items } = (await ask('GET /software')) as { items: { id: string }[] }
    expect(items.map(({ id }) => id)).toContain('paper')
    expect(await end()).toBe('')
  })

  it('installs and runs a server with a plugin, and one of a modpack, from catalogs on this computer', async () => {
    const catalogs = await CatalogServer.start()
    const data = join(folder, 'data-with-catalogs')
    await mkdir(data, { mode: 0o700 })
    await writeFile(join(data, 'catalogs.json'), JSON.stringify(catalogs.settings))
    const offered = await offerAll(catalogs)
    const { ask, end } = await startPackedService(join(unpacked, 'out/main/service.js'), data)
    try {
      const reaches = async (id: string, wanted: string) =>
        expect
          .poll(async () => ((await ask(`GET /servers/status/${id}`)) as { status: string }).status, {
            ...{ interval: 50, timeout: 60_000 },
          })
          .toBe(wanted)
      const said = async (id: string) =>
        ((await ask(`GET /servers/console/${id}`)) as { items: { text: string }[] }).items.map(
          ({ text }) => text,
        )
      const runs = async (id: string, line: string) => {
        await ask(`POST /servers/power/${id}`, { action: 'start' })
        await reaches(id, 'online')
        expect(await said(id)).toContainEqual(expect.stringContaining(line))
        await ask(`POST /servers/power/${id}`, { action: 'stop' })
        await reaches(id, 'offline')
      }
      const wish = { memoryMb: 512, acceptLicense: true }
      const software = { id: 'paper', version: GAME }
      const paper = (await ask('POST /servers', { ...wish, name: 'Paper', software })) as { id: string }
      await reaches(paper.id, 'offline')
      await ask(`POST /servers/extensions/${paper.id}`, { items: [offered.plugin] })
      await expect.poll(() => namesIn(join(data, 'servers', paper.id, 'plugins'))).toEqual(['Shop-1.0.jar'])
      await runs(paper.id, 'This server is running paper')

      const { versionId } = offered.pack
      const packed = (await ask('POST /modpacks', { ...wish, name: 'Packed', versionId })) as { id: string }
      await reaches(packed.id, 'offline')
      expect(await namesIn(join(data, 'servers', packed.id, 'mods'))).toEqual(['Lithium-1.0.jar'])
      await runs(packed.id, `Loading Minecraft ${GAME} with Fabric Loader ${LOADER}`)
    } finally {
      expect(await end()).toBe('')
      await catalogs.stop()
    }
  }, 180_000)

  it('starts by its script, from wherever that is linked to', async () => {
    const env = { ...environment(), WHEELHOUSE_NODE: node24() }
    const { stdout } = await run(join(unpacked, 'wheelhouse-service'), ['--help'], { cwd: tmpdir(), env })
    expect(stdout).toContain('--data')
  })

  it('has a unit that systemd itself finds nothing wrong with', async (test) => {
    const text = await readFile(join(unpacked, 'wheelhouse-service.service'), 'utf8')
    const file = join(folder, 'wheelhouse-service.service')
    const env = { ...process.env, SYSTEMD_LOG_LEVEL: 'warning' }
    /** What it says of a unit, put where the package is unpacked here, for a user that there is. */
    const verify = async (unit: string) => {
      const here = unit
        .replaceAll('/opt/wheelhouse-service', unpacked)
        .replaceAll(/^(User|Group)=.*$/gm, '$1=root')
      await writeFile(file, here)
      const said = (stderr = '') =>
        stderr.split('\n').filter((line) => line.includes('wheelhouse-service.service'))
      return run('systemd-analyze', ['--man=no', 'verify', file], { env }).then(
        ({ stderr }) => said(stderr),
        (error: { code?: unknown; stderr?: string }) => (error.code === 'ENOENT' ? null : said(error.stderr)),
      )
    }
    const right = await verify(text)
    if (!right) return test.skip('There is no systemd on this computer.')
    expect(right).toEqual([])
    const misspelled = await verify(text.replace('NoNewPrivileges', 'NoNewPrivilege'))
    expect(misspelled?.join()).toContain('NoNewPrivilege')
  })

  it('has a Dockerfile whose steps fit each other, and what it starts does start', async () => {
    const text = (await readFile(join(unpacked, 'Dockerfile'), 'utf8')).replaceAll('\\\n', ' ')
    const steps = [...text.matchAll(/^([A-Z]+) (.+)$/gm)].map(([, name = '', what = '']) => ({ name, what }))
    expect(steps.map(({ name }) => name)).toEqual([
      ...['FROM', 'RUN', 'COPY', 'USER', 'VOLUME', 'EXPOSE', 'STOPSIGNAL', 'ENTRYPOINT'],
    ])
    const of = (name: string) => steps.find((step) => step.name === name)?.what ?? ''
    expect(of('FROM')).toMatch(/^node:24-/)
    // Its user owns the folder of the data before that becomes a volume, and is the one that runs.
    expect(of('RUN')).toMatch(/useradd .*--home-dir (\S+) wheelhouse .*chmod 700 \1$/)
    await run('sh', ['-n', '-c', of('RUN')])
    const [program = '', ...args] = JSON.parse(of('ENTRYPOINT')) as string[]
    const [, target = ''] = of('COPY').split(' ')
    expect(program.startsWith(`${target}/`)).toBe(true)
    expect(args).toEqual(['--data', of('VOLUME')])
    expect(of('STOPSIGNAL')).toBe('SIGTERM')
    const env = { ...environment(), WHEELHOUSE_NODE: node24() }
    const { stdout } = await run(program.replace(target, unpacked), [...args, '--help'], { env })
    expect(stdout).toContain('--data')
  })

  it('has a unit and a Dockerfile that start what is there', async () => {
    const unit = await readFile(join(unpacked, 'wheelhouse-service.service'), 'utf8')
    const dockerfile = await readFile(join(unpacked, 'Dockerfile'), 'utf8')
    for (const text of [unit, dockerfile]) {
      const [, program] = /\/opt\/wheelhouse-service\/([\w-]+)"?[, ]/.exec(text) ?? []
      expect(names).toContain(program)
    }
    expect(unit).toMatch(/^NoNewPrivileges=yes$/m)
    expect(unit).toMatch(/^ExecStart=\S+ --data \/var\/lib\/wheelhouse /m)
    expect(dockerfile).toMatch(/^USER wheelhouse$/m)
  })
})
