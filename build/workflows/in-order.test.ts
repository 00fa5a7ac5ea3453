import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { at, root } from '../scripts/project.js'

const ELECTRON = 'needs Electron’s executable, which is not on the machines of development'

/** Steps that this does not run, each with why. */
const NOT_HERE: Readonly<Record<string, string>> = {
  'sudo node build/workflows/prepare-linux.js': 'installs packages of the system, as root',
  'npm ci': 'would put other packages in the place of those that run this',
  'npm ci --ignore-scripts': 'would put other packages in the place of those that run this',
  'npm test -- --unit': 'is what runs this',
  'npm test -- --engines': 'is a part of what runs this',
  'npm test -- --faults': 'is a part of what runs this',
  'npm test -- --e2e': 'is a part of what runs this',
  'npm run check': 'is a part of what runs this',
  'node build/workflows/test-electron.js': ELECTRON,
  'node build/workflows/check-electron.js': ELECTRON,
  'npm run package -- --dir': `${ELECTRON}; packing.test.ts packs with one that stands in`,
  'node build/workflows/start-packed.js': `${ELECTRON}; start-packed.test.ts starts one that stands in`,
  'node build/workflows/package-release.js': `${ELECTRON}; what it builds stands in`,
}

interface Workflow {
  jobs: Record<string, { steps: { run?: string }[] }>
}

const VERSION = '0.2.0-beta.1'

/** The project as it is checked out for a tag of an early version, with what `npm ci` has brought. */
async function checkout(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'checkout-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const name of await readdir(root))
    if (name !== 'build' && name !== 'package.json' && name !== 'package-lock.json' && name !== '.git')
      await symlink(join(root, name), join(folder, name))
  await cp(at('build'), join(folder, 'build'), { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) {
    const about = JSON.parse(await readFile(at(name), 'utf8')) as Record<string, unknown>
    await writeFile(join(folder, name), JSON.stringify({ ...about, version: VERSION }))
  }
  return folder
}

it.runIf(process.platform === 'linux')(
  'what the workflows run does so in order, as far as this machine can',
  async () => {
    const folder = await checkout()
    const programs = join(folder, 'programs')
    await mkdir(programs)
    await writeFile(
      join(programs, 'gh'),
      `#!/bin/sh\nprintf '%s\\n' "$@" > '${join(folder, 'gh-was-told')}'\n`,
    )
    await chmod(join(programs, 'gh'), 0o755)
    // What machines hand on: the actions between the steps do that.
    for (const system of ['ubuntu-24.04', 'windows-2025']) {
      await mkdir(join(folder, 'built', system), { recursive: true })
      await writeFile(join(folder, 'built', system, `Wheelhouse-${system}.zip`), system)
    }
    const env = {
      ...{ ...process.env, TAG: `v${VERSION}`, GH_TOKEN: 'none' },
      PATH: [programs, process.env['PATH']].join(delimiter),
    }
    const ran: string[] = []
    const left = new Set<string>()
    for (const name of (await readdir(at('.github/workflows'))).sort()) {
      const { jobs } = parse(await readFile(at('.github/workflows', name), 'utf8')) as Workflow
      for (const { run } of Object.values(jobs).flatMap(({ steps }) => steps)) {
        if (!run) continue
        if (Object.hasOwn(NOT_HERE, run)) {
          left.add(run)
          continue
        }
        await promisify(execFile)('bash', ['-e', '-c', run], { cwd: folder, env })
        ran.push(run.split(' ').slice(0, 3).join(' '))
      }
    }
    expect(ran).toEqual([
      'node build/workflows/check-tag.js',
      'node build/workflows/collect-release.js built',
      'node build/workflows/release-notes.js release-notes.md',
      'gh release create',
    ])
    // A step that is gone needs no reason.
    expect([...left].sort()).toEqual(Object.keys(NOT_HERE).sort())
    const told = (await readFile(join(folder, 'gh-was-told'), 'utf8')).trim().split('\n')
    expect(told.slice(0, 5)).toEqual(['release', 'create', `v${VERSION}`, '--prerelease=true', '--draft'])
    expect(told).toEqual(
      expect.arrayContaining([
        'release/SHA256SUMS',
        'release/Wheelhouse-ubuntu-24.04.zip',
        'release/Wheelhouse-windows-2025.zip',
        'release/wheelhouse.cdx.json',
      ]),
    )
    expect(await readFile(join(folder, 'release-notes.md'), 'utf8')).toContain('### Added')
  },
)
