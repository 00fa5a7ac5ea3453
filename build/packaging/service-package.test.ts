import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, environment, node24 } from '../scripts/project.js'
import { startPackedService } from './packed-service.fixture.ts'

const run = promisify(execFile)

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
      'docs/service.md',
      ...['hash-worker', 'jar-worker', 'search-worker', 'service'].map((name) => `out/main/${name}.js`),
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

  it('starts by its script, from wherever that is linked to', async () => {
    const env = { ...environment(), WHEELHOUSE_NODE: node24() }
    const { stdout } = await run(join(unpacked, 'wheelhouse-service'), ['--help'], { cwd: tmpdir(), env })
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
