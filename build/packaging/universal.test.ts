import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, matchesGlob } from 'node:path'
import { createPackageWithOptions, extractFile, statFile } from '@electron/asar'
import { expect, it, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import { at } from '../scripts/project.js'
import { machineArguments } from './feed.js'

const config = parse(await readFile(at('build/electron-builder.yml'), 'utf8')) as {
  files: string[]
  asarUnpack: string[]
}
const require = createRequire(at('node_modules/app-builder-lib/package.json'))
const folder = dirname(require.resolve('@electron/universal'))
const { mergeASARs } = require(join(folder, 'asar-utils.js')) as {
  mergeASARs: (options: Record<string, string>) => Promise<void>
}
const { excludedExts } = require('app-builder-lib/out/fileMatcher') as { excludedExts: string }
const KEYTAR = 'node_modules/keytar/build/Release/keytar.node'

/** What is packed of keytar: as what is left out is named in the configuration, and by electron-builder. */
const isPacked = (name: string) =>
  !excludedExts.split(',').some((ending) => name.endsWith(`.${ending}`)) &&
  !config.files.some((pattern) => pattern.startsWith('!') && matchesGlob(name, pattern.slice(1)))

/** A half of the program, with what compiling keytar for a processor leaves beside it. */
async function half(place: string, arch: string): Promise<string> {
  const app = join(place, arch)
  const machO = Buffer.concat([Buffer.from([0xcf, 0xfa, 0xed, 0xfe]), Buffer.from(arch)])
  const left: Record<string, string | Buffer> = {
    'package.json': '{}',
    'node_modules/keytar/lib/keytar.js': '',
    [KEYTAR]: machO,
    'node_modules/keytar/build/Release/.forge-meta': `${arch}--136`,
    'node_modules/keytar/build/config.gypi': arch,
    [`node_modules/keytar/bin/darwin-${arch}-136/keytar.node`]: machO,
  }
  for (const [name, text] of Object.entries(left)) {
    if (!isPacked(name)) continue
    await mkdir(dirname(join(app, name)), { recursive: true })
    await writeFile(join(app, name), text)
  }
  const archive = join(place, `${arch}.asar`)
  await createPackageWithOptions(app, archive, { unpack: config.asarUnpack.join() })
  return archive
}

async function place(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'wheelhouse-universal-'))
  onTestFinished(() => rm(made, { recursive: true }))
  // In place of macOS' own, which puts two programs into one: it is given both and where to.
  await writeFile(join(made, 'lipo'), '#!/bin/sh\ncat "$1" "$2" > "$5.both" && mv "$5.both" "$5"\n')
  await chmod(join(made, 'lipo'), 0o755)
  vi.stubEnv('PATH', `${made}${delimiter}${process.env['PATH']}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  return made
}

it('macOS gets keytar for both processors, each compiled anew', () => {
  expect(machineArguments('darwin', 'arm64')).toEqual(['--universal', '-c.npmRebuild=true'])
})

it.runIf(process.platform !== 'win32')(
  'both halves of a universal program go together, and its keytar is of both',
  async () => {
    const made = await place()
    const [x64AsarPath, arm64AsarPath] = [await half(made, 'x64'), await half(made, 'arm64')]
    const outputAsarPath = join(made, 'app.asar')
    await mergeASARs({ x64AsarPath, arm64AsarPath, outputAsarPath })
    expect(statFile(outputAsarPath, KEYTAR)).toMatchObject({ unpacked: true })
    const merged = extractFile(outputAsarPath, KEYTAR).toString('latin1')
    expect(merged).toContain('x64')
    expect(merged).toContain('arm64')
  },
)

it.runIf(process.platform !== 'win32')('with what was left beside it they would not', async () => {
  const made = await place()
  const [x64AsarPath, arm64AsarPath] = [await half(made, 'x64'), await half(made, 'arm64')]
  const app = join(made, 'x64')
  await cp(join(app, KEYTAR), join(app, 'node_modules/keytar/bin/darwin-x64-136/keytar.node'))
  await createPackageWithOptions(app, x64AsarPath, { unpack: config.asarUnpack.join() })
  const merging = mergeASARs({ x64AsarPath, arm64AsarPath, outputAsarPath: join(made, 'app.asar') })
  await expect(merging).rejects.toThrow('Detected unique file')
})
