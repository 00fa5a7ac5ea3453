import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { at } from '../scripts/project.js'
import { collect, oneFeed } from './collect-release.js'
import { faultsOf } from './workflow-faults.fixture.ts'
import { notesOf, withUnsigned } from './release-notes.js'
import { proofsOfSigning, publisherFault, signingEnvironment, unsignedNote } from './signing.js'

interface Step {
  uses?: string
  run?: string
  with?: Record<string, unknown>
  env?: Record<string, string>
}
interface Job {
  'runs-on': string
  'timeout-minutes'?: number
  needs?: string
  permissions?: Record<string, string>
  strategy?: { matrix: Record<string, string[]> }
  steps: Step[]
}
interface Workflow {
  on: Record<string, unknown>
  permissions: Record<string, string>
  jobs: Record<string, Job>
}

const folder = at('.github/workflows')
const names = await readdir(folder)
const workflows = new Map<string, Workflow>()
for (const name of names)
  workflows.set(name, parse(await readFile(join(folder, name), 'utf8'), { strict: true }))
const scripts = (
  JSON.parse(await readFile(at('package.json'), 'utf8')) as { scripts: Record<string, string> }
).scripts
const jobs = [...workflows].flatMap(([name, { jobs }]) =>
  Object.entries(jobs).map(([job, its]) => ({ at: `${name}: ${job}`, job: its, all: jobs })),
)
const steps = jobs.flatMap(({ at, job }) => job.steps.map((step) => ({ at, step, job })))

/** Actions that are used, each with the version that is known to have what is asked of it. */
const actions = [
  'actions/checkout@v4',
  'actions/setup-node@v4',
  'actions/cache@v4',
  'actions/upload-artifact@v4',
  'actions/download-artifact@v4',
  'actions/attest-build-provenance@v2',
]

/** Packages that a script loads, by itself or by the scripts it is made of. */
async function packagesOf(script: string): Promise<string[]> {
  const files = new Set([script])
  const packages = new Set<string>()
  for (const file of files)
    for (const [, from = ''] of (await readFile(file, 'utf8')).matchAll(
      /(?:\bfrom |^import |\bimport\()'([^']+)'/gm,
    ))
      if (from.startsWith('.')) files.add(join(dirname(file), from))
      else if (from && !from.startsWith('node:')) packages.add(from)
  return [...packages]
}

describe('the workflows', () => {
  it('are the two that are described', () => expect(names.sort()).toEqual(['ci.yml', 'release.yml']))

  it("are valid by GitHub's own rules, which find what is misspelled", async () => {
    for (const name of names)
      expect(await faultsOf(name, await readFile(join(folder, name), 'utf8'))).toEqual([])
    const ci = await readFile(join(folder, 'ci.yml'), 'utf8')
    const misspelled: [string, string, RegExp][] = [
      ['timeout-minutes:', 'timeout-minuts:', /Unexpected value 'timeout-minuts'/],
      ['${{ github.ref }}', '${{ githb.ref }}', /Unrecognized named-value: 'githb'/],
      ["runner.os == 'Linux'", "runner.os = 'Linux'", /Unexpected symbol: '='/],
      ['runs-on: ${{ matrix.system }}', 'runs-on: ${{ matrix.sytem }}', /electron has no matrix\.sytem/],
      ['if: failure()', 'if: failed()', /Unrecognized function: 'failed'/],
    ]
    for (const [right, wrong, said] of misspelled) {
      expect(ci).toContain(right)
      expect((await faultsOf('ci.yml', ci.replace(right, wrong))).join(), wrong).toMatch(said)
    }
  })

  it('may only read, and what writes a release is one job of one of them', () => {
    for (const [, { permissions }] of workflows) expect(permissions).toEqual({ contents: 'read' })
    expect(jobs.filter(({ job }) => job.permissions).map(({ at }) => at)).toEqual(['release.yml: draft'])
  })

  it('use actions by a stated version, and leave no token behind for the code that is checked out', () => {
    for (const { at, step } of steps) {
      expect(Boolean(step.uses) !== Boolean(step.run), at).toBe(true)
      if (step.uses) expect(actions, at).toContain(step.uses)
      if (step.uses?.startsWith('actions/checkout'))
        expect(step.with).toEqual({ 'persist-credentials': false })
    }
  })

  it('end by themselves, need jobs that there are, and run on systems that are stated', () => {
    for (const { at, job, all } of jobs) {
      expect(job['timeout-minutes'], at).toBeGreaterThan(0)
      if (job.needs) expect(Object.keys(all), at).toContain(job.needs)
      const systems =
        job['runs-on'] === '${{ matrix.system }}' ? job.strategy?.matrix['system'] : [job['runs-on']]
      for (const system of systems ?? [])
        expect(system, at).toMatch(/^(ubuntu|macos|windows)-\d+(\.\d+)?(-arm)?$/)
    }
  })

  it('run scripts of this repository in each step', () => {
    for (const { at: where, step } of steps) {
      if (
        !step.run ||
        /^npm ci( --ignore-scripts)?$/.test(step.run) ||
        step.run.startsWith('gh release create')
      )
        continue
      const [, file] = /^(?:sudo )?node (build\/[\w/-]+\.js)/.exec(step.run) ?? []
      const [, script = step.run.startsWith('npm test ') ? 'test' : ''] =
        /^npm run ([\w:]+)/.exec(step.run) ?? []
      expect(file ? existsSync(at(file)) : script in scripts, `${where}: ${step.run}`).toBe(true)
    }
  })

  it('tell what works in Electron on each system, and start what was packed there', async () => {
    const { electron, package: packing } = workflows.get('ci.yml')!.jobs
    const runs = (job?: Job) => job?.steps.map(({ run }) => run) ?? []
    expect(runs(electron).at(-2)).toBe('node build/workflows/check-electron.js')
    expect(runs(packing).slice(-2)).toEqual([
      ...['npm run package -- --dir', 'node build/workflows/start-packed.js'],
    ])
    for (const job of [electron, packing]) expect(job?.strategy?.matrix['system']).toHaveLength(3)
  })

  it('install packages before the first script that loads one, and run none of theirs where a release can be written', async () => {
    expect(await packagesOf(at('build/workflows/collect-release.js'))).toEqual(['yaml'])
    for (const { at: where, job } of jobs) {
      const commands = job.steps.map(({ run = '' }) => run)
      const installed = commands.findIndex((run) => run.startsWith('npm ci'))
      for (const [index, run] of commands.entries()) {
        const [, file] = /^(?:sudo )?node (\S+)/.exec(run) ?? []
        const needed = file ? await packagesOf(at(file)) : run.startsWith('npm run') ? ['all'] : []
        if (needed.length === 0) continue
        expect(installed, `${where}: ${run} needs ${needed.join()}`).toBeGreaterThanOrEqual(0)
        expect(installed, `${where}: ${run} needs ${needed.join()}`).toBeLessThan(index)
      }
      if (job.permissions) expect(commands).not.toContain('npm ci')
    }
  })

  it('keep what was downloaded of Electron for the next run, where it is needed, and give its download minutes', async () => {
    const { electron, package: packing, test } = workflows.get('ci.yml')!.jobs
    for (const job of [electron, packing]) {
      const uses = job?.steps.map(({ uses, run }) => uses ?? run) ?? []
      expect(uses.indexOf('actions/cache@v4')).toBeGreaterThan(-1)
      expect(uses.indexOf('actions/cache@v4')).toBeLessThan(uses.indexOf('npm ci'))
    }
    expect(test?.steps.some(({ uses }) => uses === 'actions/cache@v4')).toBe(false)
    for (const name of ['test-electron', 'check-electron'])
      expect(await readFile(at(`build/scripts/${name}.js`), 'utf8')).toContain(
        'electronExecutable(undefined, PATIENT)',
      )
  })

  it('give the secrets of a system to its machines alone', () => {
    const signing = steps.flatMap(({ step }) => Object.entries(step.env ?? {}))
    const secret = signing.filter(([, value]) => value.includes('secrets.'))
    expect(secret.length).toBeGreaterThan(5)
    for (const [name, value] of secret) {
      const system = name.startsWith('WIN_') ? 'Windows' : 'macOS'
      expect(value, name).toMatch(
        new RegExp(`^\\$\\{\\{ runner\\.os == '${system}' && secrets\\.\\w+ \\|\\| '' \\}\\}$`),
      )
    }
  })

  it("hand on Apple's key as a file that only its owner may read, which is gone afterwards", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-signing-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const { env, done } = await signingEnvironment({ APPLE_API_KEY: 'a key', CSC_LINK: '' }, folder)
    expect(Object.keys(env)).toEqual(['APPLE_API_KEY'])
    expect(await readFile(env.APPLE_API_KEY!, 'utf8')).toBe('a key')
    if (process.platform !== 'win32') expect((await stat(env.APPLE_API_KEY!)).mode & 0o777).toBe(0o600)
    await done()
    expect(await readdir(folder)).toEqual([])
    expect((await signingEnvironment({ APPLE_API_KEY: '' }, folder)).env).toEqual({})
  })

  it('put nothing of an event into a shell, and give secrets to the one step that signs', () => {
    for (const { at, step } of steps) {
      expect(step.run ?? '', at).not.toContain('${{')
      if (JSON.stringify(step).includes('secrets.'))
        expect(step.run, at).toBe('node build/workflows/package-release.js')
    }
  })
})

/** What two machines have built of a version. */
async function builtBy(machines: Record<string, Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-release-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [machine, files] of Object.entries(machines)) {
    await mkdir(join(folder, 'built', machine), { recursive: true })
    for (const [name, text] of Object.entries(files))
      await writeFile(join(folder, 'built', machine, name), text)
  }
  return { built: join(folder, 'built'), release: join(folder, 'release') }
}
const feed = (arch: string, version = '1.1.0') =>
  `version: ${version}\nfiles:\n  - url: Setup-${arch}.exe\n    sha512: of-${arch}\npath: Setup-${arch}.exe\nsha512: of-${arch}\n`

describe('a release', () => {
  it.runIf(process.platform !== 'win32').each([
    ['v1.2.0', '--prerelease=false'],
    ['v1.2.0-beta.1', '--prerelease=true'],
  ])('of %s is drafted with %s', (TAG, wanted) => {
    const { run = '' } = steps.find(({ step }) => step.run?.startsWith('gh release create'))!.step
    const standIn = `gh() { printf '%s\\n' "$@"; }\n${run}`
    const said = execFileSync('bash', ['-e', '-c', standIn], {
      env: { ...process.env, TAG },
      encoding: 'utf8',
    })
    expect(said.split('\n').slice(0, 4)).toEqual(['release', 'create', TAG, wanted])
  })

  it('has one feed for the installers of two machines, of which x64 comes first', () => {
    expect(parse(oneFeed([feed('arm64'), feed('x64')]))).toEqual({
      version: '1.1.0',
      files: [
        { url: 'Setup-x64.exe', sha512: 'of-x64' },
        { url: 'Setup-arm64.exe', sha512: 'of-arm64' },
      ],
      path: 'Setup-x64.exe',
      sha512: 'of-x64',
    })
    expect(() => oneFeed([feed('x64'), feed('arm64', '1.2.0')])).toThrow('do not go together')
  })

  it('has all that was built, with the checksum of each file', async () => {
    const { built, release } = await builtBy({
      x64: { 'Setup-x64.exe': 'x', 'latest.yml': feed('x64') },
      arm64: { 'Setup-arm64.exe': 'a', 'latest.yml': feed('arm64') },
    })
    expect(await collect(built, release)).toEqual(['Setup-arm64.exe', 'Setup-x64.exe', 'latest.yml'])
    const sums = await readFile(join(release, 'SHA256SUMS'), 'utf8')
    expect(sums).toContain(
      '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  Setup-x64.exe\n',
    )
    expect(sums.trim().split('\n')).toHaveLength(3)
  })

  it('is not made where two machines have built the same file', async () => {
    const { built, release } = await builtBy({ one: { 'a.exe': '1' }, two: { 'a.exe': '2' } })
    await expect(collect(built, release)).rejects.toThrow('built by 2 machines')
  })
})

describe('a release that is not signed', () => {
  it('is not built, unless somebody has agreed to that for this very system', () => {
    expect(() => unsignedNote({}, 'darwin')).toThrow('CSC_LINK is missing')
    expect(() => unsignedNote({ WIN_CSC_LINK: 'file', WHEELHOUSE_UNSIGNED: 'Windows' }, 'darwin')).toThrow(
      'set WHEELHOUSE_UNSIGNED to macOS',
    )
    expect(() => unsignedNote({ CSC_LINK: 'file' }, 'win32')).toThrow('WIN_CSC_LINK is missing')
    expect(unsignedNote({ WHEELHOUSE_UNSIGNED: 'macOS, Windows' }, 'darwin')).toMatch(
      /for macOS are not signed/,
    )
    expect(unsignedNote({ CSC_LINK: 'file' }, 'darwin')).toBeNull()
    expect(unsignedNote({}, 'linux')).toBeNull()
  })

  it('is not made of a program that macOS or Windows would warn of: the system is asked about what was signed', () => {
    const proofs = proofsOfSigning({ CSC_LINK: 'file' }, 'darwin', 'Wheelhouse.app')
    expect(proofs.map(([file, ...args]) => `${file} ${args[0]}`)).toEqual([
      ...['codesign --verify', 'xcrun stapler', 'spctl --assess'],
    ])
    expect(proofs.every((proof) => proof.at(-1) === 'Wheelhouse.app')).toBe(true)
    expect(proofsOfSigning({}, 'darwin', 'Wheelhouse.app')).toEqual([])
    const [windows = []] = proofsOfSigning({ WIN_CSC_LINK: 'file' }, 'win32', 'Wheelhouse.exe')
    expect(windows.join(' ')).toMatch(/^powershell .*Get-AuthenticodeSignature.* exit 1 .*Wheelhouse\.exe$/)
    expect(proofsOfSigning({ CSC_LINK: 'file' }, 'win32', 'Wheelhouse.exe')).toEqual([])
    expect(proofsOfSigning({ CSC_LINK: 'file' }, 'linux', 'Wheelhouse.app')).toEqual([])
  })

  it('is not made of a program for Windows that would take an update of whoever signed it', async () => {
    const update = (more: string) => `provider: github\nowner: ann\nrepo: w\n${more}`
    expect(publisherFault(update('publisherName:\n  - Ann Example\n'), 'Ann Example')).toBeNull()
    expect(publisherFault(update('publisherName: Ann Example\n'), 'Ann Example')).toBeNull()
    expect(publisherFault(update(''), 'Ann Example')).toContain('app-update.yml names nobody')
    const both = update('publisherName:\n  - Ann Example\n  - Somebody Else\n')
    expect(publisherFault(both, 'Ann Example')).toContain('Ann Example, Somebody Else')
    // Asked of what was packed, before anything of it is released.
    const script = await readFile(at('build/workflows/package-release.js'), 'utf8')
    expect(script).toContain("'resources/app-update.yml'")
    expect(script.indexOf('publisherFault(await')).toBeLessThan(script.indexOf("mkdir(at('release')"))
  })

  it('says so first of all in its draft, once for each system', async () => {
    const said = 'The installers for Windows are not signed: Windows warns of them.\n'
    const { built } = await builtBy({
      all: { 'unsigned-win32-x64.txt': said, 'unsigned-win32-arm64.txt': said, 'latest.yml': '' },
      none: { 'latest.yml': '' },
    })
    expect(await withUnsigned('- New.\n', join(built, 'all'))).toBe(`> ${said}\n- New.\n`)
    expect(await withUnsigned('- New.\n', join(built, 'none'))).toBe('- New.\n')
  })
  it('is told which systems that is agreed to for, before anything is built', async () => {
    const told = steps.flatMap(({ step }) => step.env?.['WHEELHOUSE_UNSIGNED'] ?? [])
    expect(told).toEqual(['${{ vars.UNSIGNED }}'])
    const script = await readFile(at('build/workflows/package-release.js'), 'utf8')
    expect(script.indexOf('unsignedNote(')).toBeLessThan(script.indexOf('build/scripts/package.js'))
  })
})

describe('the notes of a release', () => {
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- New.\n\n## [1.1.0] - 2026-10-01\n\n- Old.\n\n## [1.0.0]\n\n- First.\n\n[1.0.0]: https://example.com\n'

  it('are what the changelog says of that version alone', () => {
    expect(notesOf(changelog, '1.1.0')).toBe('- Old.\n')
    expect(notesOf(changelog.replaceAll('\n', '\r\n'), '1.0.0')).toBe('- First.\n')
  })

  it('of an early version may be what is not released', () => {
    expect(notesOf(changelog, '1.2.0-beta.1')).toBe('### Added\n\n- New.\n')
  })

  it('are missing where nobody wrote some: then nothing is released', () => {
    expect(() => notesOf(changelog, '1.2.0')).toThrow('says nothing of version 1.2.0')
    expect(() => notesOf('## [1.2.0]\n\n## [1.1.0]\n\n- Old.\n', '1.2.0')).toThrow('says nothing')
  })

  it('are written before what needs them, for the feed and for the draft', async () => {
    const draft = workflows.get('release.yml')!.jobs['draft']!.steps.map(({ run = '' }) => run)
    const written = draft.indexOf('node build/workflows/release-notes.js release-notes.md release')
    const used = draft.findIndex((run) => run.includes('--notes-file release-notes.md'))
    expect(written).toBeGreaterThan(-1)
    expect(used).toBeGreaterThan(written)
    expect(await readFile(at('build/workflows/package-release.js'), 'utf8')).toContain(
      'releaseInfo.releaseNotesFile',
    )
  })
})
