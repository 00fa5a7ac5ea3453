import { spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seeds } from '../../../../tests/fixtures/seeds.ts'
import { openTestFiles } from '../files.fixture.ts'
import type { JobProgress, OmissionReason } from '../jobs.ts'
import { hasRawBytes } from '../../../contract/rules/raw-bytes.ts'
import { newPartsOf } from '../names/names.ts'
import { fromBytes } from '../names/raw-names.ts'
import { packArchive } from './archive.ts'
import { extractArchive } from './extract.ts'

/** Names that some system or some program does not take. Those of bytes are no Unicode. */
const ODD: (string | Buffer)[] = [
  ...[
    'con.yml',
    'AUX.c',
    'nul',
    'trail.',
    'trail ',
    ' lead',
    'back\\slash',
    '..\\up',
    'C:',
    'C:\\x',
    'a:b',
    '*?<>|"',
  ],
  ...[
    '-rf',
    '...',
    '~',
    'new\nline',
    'bell\u0007',
    'del\u007f',
    ' ',
    'e\u0301',
    '한글',
    '😀',
    '\ufeffbom',
    '\ufffd',
  ],
  ...['x'.repeat(255), 'é'.repeat(127), Buffer.from([0xff, 0x61]), Buffer.from([0xc3])],
]
const isLinux = process.platform === 'linux'
const nameOf = fc.oneof(
  fc.stringMatching(/^[a-z]{1,3}$/).map((name) => Buffer.from(name)),
  ...(isLinux ? [fc.constantFrom(...ODD).map((name) => Buffer.from(name as string))] : []),
)
const fileOf = fc.record({
  parts: fc.array(nameOf, { minLength: 1, maxLength: 4 }),
  bytes: fc.uint8Array({ maxLength: 40 }),
  isFolder: fc.boolean(),
})

const joined = (...parts: Buffer[]) =>
  Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [Buffer.from('/'), part])))

/** Makes a file or folder, unless the disk does not take it. */
function make(
  folder: string,
  { parts, bytes, isFolder }: { parts: Buffer[]; bytes: Uint8Array; isFolder: boolean },
) {
  const above = joined(Buffer.from(folder), ...parts.slice(0, isFolder ? undefined : -1))
  try {
    mkdirSync(above, { recursive: true })
    if (!isFolder) writeFileSync(joined(above, parts.at(-1)!), bytes)
  } catch (error) {
    if (!['EEXIST', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code!)) throw error
  }
}

/** All that is below a folder, by its path in Latin-1: what files contain, and null for folders. */
function contentsOf(folder: Buffer, within: Buffer | null = null): Map<string, string | null> {
  const found = new Map<string, string | null>()
  for (const name of readdirSync(folder, { encoding: 'buffer' })) {
    const [at, shown] = [joined(folder, name), within ? joined(within, name) : name]
    const isFolder = lstatSync(at).isDirectory()
    found.set(shown.toString('latin1'), isFolder ? null : readFileSync(at, 'latin1'))
    if (isFolder) for (const [key, value] of contentsOf(at, shown)) found.set(key, value)
  }
  return found
}

/** Whether something can have this path, in a server's folder and in an archive. */
function isPath(name: string): boolean {
  try {
    return newPartsOf(name).every((part) => !hasRawBytes(part))
  } catch {
    return false
  }
}

/** What another program extracts, where it is there, is the same. It composes letters and accents. */
function expectSame(archive: string, to: string, came: Map<string, string | null>): void {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to)
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  const { error, status, stderr } = spawnSync('bsdtar', ['-xf', archive, '-C', to], { env })
  if (error) return
  expect([status, stderr.toString()]).toEqual([0, ''])
  const composed = [...came].map(
    ([key, content]) =>
      [Buffer.from(Buffer.from(key, 'latin1').toString().normalize()).toString('latin1'), content] as const,
  )
  expect(contentsOf(Buffer.from(to))).toEqual(new Map(composed))
}

function noting() {
  const omitted: { name: string; reason: OmissionReason }[] = []
  const progress: JobProgress = {
    signal: new AbortController().signal,
    total() {},
    add() {},
    leaveOut: (name, reason) => void omitted.push({ name, reason }),
    namesRead: (names) => expect(names).toBeNull(),
    finish() {},
  }
  return { omitted, progress }
}

test.for(
  seeds.flatMap(
    (seed) =>
      [
        ['zip', seed],
        ['tar.gz', seed],
      ] as const,
  ),
)(
  'whatever can be on the disk comes out of a %s as it was, or was told when it was packed (seed %i)',
  async ([format, seed]) => {
    const { files, root } = await openTestFiles()
    const trees = fc.array(fileOf, { minLength: 1, maxLength: 8 })
    const tried = fc.asyncProperty(trees, async (tree) => {
      const [from, to, archive] = [path.join(root, 'from'), path.join(root, 'to'), path.join(root, 'archive')]
      for (const one of [from, to, archive]) rmSync(one, { recursive: true, force: true })
      mkdirSync(from)
      for (const one of tree) make(from, one)
      // What is packed by its own name has it at the beginning of the archive's names.
      const own = readdirSync(from, { encoding: 'buffer' })
        .map(fromBytes)
        .filter((name) => isPath(`from/${name}`))
      if (own.length === 0) return
      const [packing, extracting] = [noting(), noting()]
      const paths = own.map((name) => `from/${name}`)
      await packArchive(files, { paths, to: 'archive', format, conflict: 'refuse' }, packing.progress)
      const [program, ...options] = format === 'zip' ? ['unzip', '-tqq'] : ['tar', '-tzf']
      const read = spawnSync(program, [...options, archive])
      // Of a zip without anything in it, unzip says that too.
      const isEmpty = paths.every((one) => packing.omitted.some(({ name }) => name === one))
      if (!read.error && !isEmpty) expect([read.status, read.stderr.toString()]).toEqual([0, ''])
      await extractArchive(files, { path: 'archive', to: 'to', conflict: 'refuse' }, extracting.progress)

      const told = packing.omitted.map(({ name }) => name.slice('from/'.length))
      // The folder it is extracted to is one level more.
      for (const { name, reason } of extracting.omitted) {
        expect(reason).toBe('deep')
        told.push(name.replace(/^\.\/|\/$/g, ''))
      }
      const isTold = (name: string) => told.some((one) => name === one || name.startsWith(`${one}/`))
      const came = contentsOf(Buffer.from(to))
      if (!isEmpty) expectSame(archive, path.join(root, 'other'), came)
      for (const [key, content] of contentsOf(Buffer.from(from))) {
        const name = fromBytes(Buffer.from(key, 'latin1'))
        if (!own.includes(name.split('/')[0]!)) continue
        expect([name, isTold(name) ? 'told' : came.get(key)]).toEqual([name, isTold(name) ? 'told' : content])
        if (isTold(name)) expect([name, came.has(key)]).toEqual([name, false])
      }
      for (const { name, reason } of packing.omitted)
        if (reason === 'name') expect([name, isPath(name.slice('from/'.length))]).toEqual([name, false])
    })
    await fc.assert(tried, { seed, numRuns: 20 })
  },
)

test('what lies too deep to be made again is told when it is packed', async () => {
  const { files, root } = await openTestFiles()
  const parts = Array.from({ length: 110 }, () => Buffer.from('d'))
  make(path.join(root, 'a'), { parts, bytes: Buffer.alloc(1), isFolder: false })
  const { omitted, progress } = noting()
  await packArchive(files, { paths: ['a'], to: 'a.zip', format: 'zip', conflict: 'refuse' }, progress)
  expect(omitted).toEqual([{ name: `a${'/d'.repeat(100)}`, reason: 'deep' }])
})
