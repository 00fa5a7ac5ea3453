import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { joined, parentOf } from '../../contract/rules/paths.ts'
import { fileTime } from '../../host/file-time.ts'
import { bytePath, bytesBelow, makeRawTree, ODD, RAW } from '../files/odd-names.fixture.ts'
import { diskPath, fromBytes } from '../files/names/raw-names.ts'
import { temporaryFolder } from '../service.fixture.ts'
import type { BackupEntry, BackupSource, BackupStore, SourceEntry, StorePorts } from './backup-store.ts'

const FIRST = '00000000-0000-4000-8000-000000000001'
const SECOND = '00000000-0000-4000-8000-000000000002'
const ABSENT = '00000000-0000-4000-8000-000000000003'
const TIMEOUT_MS = 180_000
const REGION = 'world/region/r.0.0.mca'
const ON_LINUX = process.platform === 'linux'

/** Opens the store that keeps its files below a folder; called twice, it is the same one after a new start. */
export type OpenStore = (folder: string) => Promise<BackupStore> | BackupStore

export const quiet = (signal = new AbortController().signal): StorePorts => ({
  signal,
  progress: () => undefined,
})

/** What is in a folder of the system, but what is left out. */
export function folderSource(
  root: string,
  change: (entry: SourceEntry) => SourceEntry | null = (e) => e,
): BackupSource {
  async function* below(folder: string): AsyncGenerator<SourceEntry> {
    for (const bytes of readdirSync(diskPath(root, folder), { encoding: 'buffer' })) {
      const at = joined(folder, fromBytes(bytes))
      const stat = lstatSync(diskPath(root, at))
      const kind = stat.isDirectory() ? 'folder' : 'file'
      const entry = change({
        ...{ path: at, kind, size: kind === 'file' ? stat.size : 0 },
        ...{ modifiedAt: Math.round(stat.mtimeMs), mode: stat.mode & 0o777, from: path.join(root, at) },
      })
      if (!entry) continue
      yield entry
      if (kind === 'folder') yield* below(at)
    }
  }
  return { root, entries: () => below('') }
}

/** A server's folder with everything that is hard to keep. */
export async function hardFolder(): Promise<string> {
  const root = path.join(await temporaryFolder(), 'ser[v]er $HOME*')
  const at = (...parts: string[]) => path.join(root, ...parts)
  for (const folder of ['world/region', 'empty', 'plugins/deep/er'])
    mkdirSync(at(folder), { recursive: true })
  writeFileSync(at(REGION), randomBytes(3_000_000))
  writeFileSync(at('world/level.dat'), 'level')
  writeFileSync(at('zero'), '')
  writeFileSync(at('plugins/deep/er/config.yml'), 'a: 1\n')
  for (const name of ['-rf', '[a-z]', '**', '$PATH', '!no', '#no', '%', "'quoted'", 'é', 'plain.txt'])
    writeFileSync(at(name), name)
  if (process.platform !== 'win32') {
    for (const name of ODD) mkdirSync(`${root}/odd/${name}`, { recursive: true })
    for (const name of ODD) writeFileSync(`${root}/odd/${name}/${name}`, name)
  }
  if (ON_LINUX) {
    makeRawTree(root)
    rmSync(bytePath(root, 'pl\xfcgins/li\x8ek'))
    for (const name of Object.keys(RAW)) writeFileSync(bytePath(root, name), name, 'latin1')
  }
  chmodSync(at('world/level.dat'), 0o640)
  chmodSync(at('plain.txt'), 0o755)
  utimesSync(at('world/level.dat'), fileTime(1_000_000_000_123), fileTime(1_000_000_000_123))
  utimesSync(at('empty'), fileTime(1_100_000_000_456), fileTime(1_100_000_000_456))
  chmodSync(at('empty'), 0o750)
  return root
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

const byPath = (entries: BackupEntry[]): BackupEntry[] =>
  entries.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))

/** As a store gives them: what isn't about the backup is left out. */
const expected = async (source: BackupSource): Promise<BackupEntry[]> =>
  byPath((await all(source.entries())).map(({ from: _from, ...entry }) => entry))

export function folderBytes(folder: string): number {
  const stats = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return stats.reduce((sum, { parentPath, name }) => sum + lstatSync(path.join(parentPath, name)).size, 0)
}

/** Changes some bytes in the middle of the largest file, where the random ones of the test are. */
export function damageLargest(folder: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
  const largest = files.toSorted((a, b) => lstatSync(b).size - lstatSync(a).size)[0]!
  const bytes = readFileSync(largest)
  chmodSync(largest, 0o600)
  const middle = bytes.length >> 1
  for (let at = middle; at < middle + 64; at++) bytes[at]! ^= 0xff
  writeFileSync(largest, bytes)
}

/** What every store does, whatever it is made of. */
export function testStoreContract(name: string, open: OpenStore): void {
  describe(`${name} as a store of backups`, { timeout: TIMEOUT_MS }, () => {
    const opened = async () => {
      const folder = await temporaryFolder()
      return { folder, store: await open(folder) }
    }
    const code = async (work: Promise<unknown>) =>
      work.then(
        () => 'nothing',
        (error: unknown) => (error as { code?: string }).code,
      )

    testContents(opened)
    testReading(opened, code)
    testDuring(opened, code)

    test('finds damaged bytes, names the file, and does not bring it back', async () => {
      const { store, folder } = await opened()
      const root = await hardFolder()
      await store.save(FIRST, folderSource(root), quiet())
      expect(await store.check(FIRST, quiet())).toEqual({ damaged: [] })
      damageLargest(folder)
      const { damaged } = await store.check(FIRST, quiet())
      expect(damaged).toContain(REGION)
      expect(await code(store.extract(FIRST, [REGION], await temporaryFolder(), quiet()))).toBe(
        'backups.damaged',
      )
      // What lies close to the damage may be lost with it; then it is named.
      for (const at of [REGION, 'plain.txt', 'world/level.dat', '-rf']) {
        const read = await store
          .read(FIRST, at)
          .then(buffer)
          .catch((error: { code?: string }) => error.code)
        const whole = readFileSync(path.join(root, at))
        expect(read, at).toEqual(damaged.includes(at) ? 'backups.damaged' : whole)
      }
    })

    test('frees what only the removed needed, and keeps the others whole after a new start', async () => {
      const { store, folder } = await opened()
      const root = await hardFolder()
      await store.save(FIRST, folderSource(root), quiet())
      writeFileSync(path.join(root, REGION), randomBytes(3_000_000))
      await store.save(SECOND, folderSource(root), quiet())
      expect((await store.ids()).toSorted()).toEqual([FIRST, SECOND])
      const before = folderBytes(folder)
      await store.remove([FIRST, ABSENT], quiet())
      expect(before - folderBytes(folder)).toBeGreaterThan(2_500_000)
      const again = await open(folder)
      expect(await again.ids()).toEqual([SECOND])
      expect(await code(again.list(FIRST, ''))).toMatch(/^backups\./)
      expect(await again.check(SECOND, quiet())).toEqual({ damaged: [] })
      expect(
        (await buffer(await again.read(SECOND, REGION))).equals(readFileSync(path.join(root, REGION))),
      ).toBe(true)
    })
  })
}

interface OpenedStore {
  folder: string
  store: BackupStore
}

function testContents(opened: () => Promise<OpenedStore>): void {
  test('keeps every name, folder, time and mode, and brings all of it back', async () => {
    const { store } = await opened()
    expect(await store.ids()).toEqual([])
    const root = await hardFolder()
    const source = folderSource(root)
    const entries = await expected(source)
    const told: (number | null)[][] = []
    const saved = await store.save(FIRST, source, { ...quiet(), progress: (...each) => void told.push(each) })
    const files = entries.filter(({ kind }) => kind === 'file')
    expect(saved).toMatchObject({ files: files.length, missing: [] })
    expect(saved.bytes).toBe(files.reduce((sum, { size }) => sum + size, 0))
    expect(saved.addedBytes).toBeGreaterThan(3_000_000)
    expect(told.at(-1)?.[0]).toBe(saved.bytes)
    expect(byPath(await all(store.walk(FIRST, null)))).toEqual(entries)
    for (const folder of ['', ...entries.flatMap(({ kind, path: at }) => (kind === 'folder' ? [at] : []))])
      expect(byPath(await store.list(FIRST, folder)), folder).toEqual(
        entries.filter((entry) => parentOf(entry.path) === folder),
      )
    const to = await temporaryFolder()
    await store.extract(FIRST, null, to, quiet())
    expect(bytesBelow(to)).toEqual(bytesBelow(root))
    expect(await expected(folderSource(to))).toEqual(entries)
  })

  test('holds what the source names, whatever else is in its folder, with the bytes it names', async () => {
    const { store } = await opened()
    const root = await hardFolder()
    const copy = path.join(await temporaryFolder(), 'copy')
    writeFileSync(copy, 'a copy')
    const { mode, mtime } = lstatSync(path.join(root, 'world/level.dat'))
    chmodSync(copy, mode)
    utimesSync(copy, mtime, mtime)
    const isLeftOut = (at: string) => at.startsWith('odd') || at === 'empty' || at.startsWith('plugins/deep/')
    const source = folderSource(root, (entry) => {
      if (isLeftOut(entry.path)) return null
      return entry.path === 'world/level.dat' ? { ...entry, size: 6, from: copy } : entry
    })
    await store.save(FIRST, source, quiet())
    expect(byPath(await all(store.walk(FIRST, null)))).toEqual(await expected(source))
    const to = await temporaryFolder()
    await store.extract(FIRST, null, to, quiet())
    const wanted = Object.entries(bytesBelow(root)).filter(([at]) => !isLeftOut(at))
    expect(bytesBelow(to)).toEqual({ ...Object.fromEntries(wanted), 'world/level.dat': 'a copy' })
    expect((await buffer(await store.read(FIRST, 'world/level.dat'))).toString()).toBe('a copy')
    expect(await store.check(FIRST, quiet())).toEqual({ damaged: [] })
  })
}

function testReading(
  opened: () => Promise<OpenedStore>,
  code: (work: Promise<unknown>) => Promise<string | undefined>,
): void {
  test('reads parts of files, brings parts back, and says what is not there', async () => {
    const { store } = await opened()
    const root = await hardFolder()
    await store.save(FIRST, folderSource(root), quiet())
    const bytes = readFileSync(path.join(root, REGION))
    const read = async (at: string, start?: number, end?: number) =>
      buffer(await store.read(FIRST, at, start === undefined ? undefined : { start, end: end! }))
    for (const [start, end] of [
      [0, 1],
      [1_500_000, 1_600_000],
      [2_999_999, 3_000_000],
      [2_999_999, 9_000_000],
    ] as const)
      expect((await read(REGION, start, end)).equals(bytes.subarray(start, end)), `${start}`).toBe(true)
    expect((await read(REGION)).equals(bytes)).toBe(true)
    expect(await read('zero')).toHaveLength(0)
    expect(await read('plain.txt', 3, 3)).toHaveLength(0)
    const raw = ON_LINUX ? ['l\uf782o.txt', 'pl\uf7fcgins/\uf780\uf781/\uf7fe'] : []
    for (const at of raw) expect((await read(at, 0, 1)).length, at).toBe(1)
    expect(await store.entry(FIRST, 'zero')).toMatchObject({ path: 'zero', kind: 'file', size: 0 })

    const odd = ON_LINUX ? ['odd/what?*<>|"', 'odd/two\nlines', 'odd/a\\..\\b', ...raw] : []
    const below = ['plugins/deep', '[a-z]', '**', '-rf', 'empty', ...odd]
    const to = await temporaryFolder()
    await store.extract(FIRST, below, to, quiet())
    const walked = (await all(store.walk(FIRST, below))).map(({ path: at }) => at)
    const parents = walked.flatMap((at) =>
      at.split('/').map((_, count, parts) => parts.slice(0, count).join('/')),
    )
    const brought = (await expected(folderSource(to))).map(({ path: at }) => at)
    expect(brought).toEqual([...new Set([...walked, ...parents])].filter((at) => at !== '').toSorted())

    expect(await code(store.entry(FIRST, 'none'))).toBe('backups.not-in-it')
    expect(await code(store.list(FIRST, 'none'))).toBe('backups.not-in-it')
    expect(await code(store.list(FIRST, 'zero'))).toBe('backups.not-in-it')
    expect(await code(store.read(FIRST, 'world'))).toBe('backups.not-in-it')
  })

  test('a reader that leaves early keeps nothing open and in nobody’s way', async () => {
    const { store } = await opened()
    await store.save(FIRST, folderSource(await hardFolder()), quiet())
    const reader = await store.read(FIRST, REGION)
    await new Promise((resolve) => reader.once('readable', resolve))
    reader.destroy()
    await store.remove([FIRST], quiet())
    expect(await store.ids()).toEqual([])
  })
}

function testDuring(
  opened: () => Promise<OpenedStore>,
  code: (work: Promise<unknown>) => Promise<string | undefined>,
): void {
  test('a file that grew or went after the walk is kept as it was read, or named', async () => {
    const { store } = await opened()
    const root = await hardFolder()
    const source = folderSource(root)
    const entries = await all(source.entries())
    appendFileSync(path.join(root, 'plain.txt'), ' and more')
    rmSync(path.join(root, 'world/level.dat'))
    const later = { root, entries: () => Readable.from(entries) as AsyncIterable<SourceEntry> }
    const saved = await store.save(FIRST, later, quiet())
    expect(saved.missing).toEqual([{ path: 'world/level.dat', reason: 'changed' }])
    expect(await store.entry(FIRST, 'plain.txt')).toMatchObject({ size: 18 })
    expect((await buffer(await store.read(FIRST, 'plain.txt'))).toString()).toBe('plain.txt and more')
    expect(await code(store.entry(FIRST, 'world/level.dat'))).toBe('backups.not-in-it')
    const to = await temporaryFolder()
    await store.extract(FIRST, null, to, quiet())
    expect(bytesBelow(to)).toEqual(bytesBelow(root))
  })

  test('leaves nothing of what was canceled in the middle', async () => {
    const { store, folder } = await opened()
    const root = await hardFolder()
    await store.save(FIRST, folderSource(root), quiet())
    const before = folderBytes(folder)
    for (let at = 1; at <= 8; at++)
      writeFileSync(path.join(root, `world/region/r.${at}.mca`), randomBytes(4_000_000))
    const canceling = new AbortController()
    const reason = new Error('canceled')
    const ports = {
      signal: canceling.signal,
      progress: (done: number) => void (done > 1_000_000 && canceling.abort(reason)),
    }
    await expect(store.save(SECOND, folderSource(root), ports)).rejects.toBe(reason)
    expect(folderBytes(folder) - before).toBeLessThan(100_000)
    expect(await store.ids()).toEqual([FIRST])
    const to = await temporaryFolder()
    await expect(store.extract(FIRST, null, to, quiet(AbortSignal.abort(reason)))).rejects.toBe(reason)
    await expect(store.check(FIRST, quiet(AbortSignal.abort(reason)))).rejects.toBe(reason)
    expect(await store.check(FIRST, quiet())).toEqual({ damaged: [] })
    expect((await store.save(SECOND, folderSource(root), quiet())).missing).toEqual([])
    expect((await store.ids()).toSorted()).toEqual([FIRST, SECOND])
  })
}
