import { execFileSync } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, chmod, mkdir, open, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { expect, it, onTestFinished, test } from 'vitest'
import { ServerFiles } from '../../files/server-files.ts'
import { temporaryFolder } from '../../service.fixture.ts'
import type { BackupSource, SourceEntry, StorePorts } from '../backup-store.ts'
import { serverSource } from '../source.ts'
import { ArchiveStore } from './archive-store.ts'
import { ListWriter, readList } from './backup-list.ts'
import { FRAME_BYTES } from './frames.ts'

const none: StorePorts = { signal: new AbortController().signal, progress: () => undefined }
const LONG = `${'very-'.repeat(40)}long.txt`

async function withServer() {
  const folder = await temporaryFolder()
  const at = (...names: string[]) => path.join(folder, ...names)
  const files = new ServerFiles({
    ...{ serverId: 'one', root: at('server'), staging: at('staging'), trash: at('trash') },
    ...{ maxFileBytes: null, quotaBytes: null, running: () => true },
  })
  await mkdir(at('server/world/region'), { recursive: true })
  const put = async (name: string, content: string | Buffer) => {
    await mkdir(path.dirname(at('server', name)), { recursive: true })
    await writeFile(at('server', name), content)
  }
  const options = { level: 'world', exclude: [], withSoftware: false, staging: at('databases') }
  const store = new ArchiveStore(at('backups'))
  const id = randomUUID()
  return { at, put, store, id, source: (more = {}) => serverSource(files, { ...options, ...more }) }
}

async function treeOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const pairs = files.map(async (entry) => {
    const file = path.join(entry.parentPath, entry.name)
    const { mode, mtimeMs } = await stat(file)
    const content = createHash('sha256')
      .update(await readFile(file))
      .digest('hex')
    return [path.relative(folder, file), `${mode & 0o777} ${Math.round(mtimeMs)} ${content}`] as const
  })
  return Object.fromEntries(await Promise.all(pairs))
}

async function filled() {
  const it = await withServer()
  await it.put('server.properties', 'motd=hello')
  await it.put('world/region/r.0.0.mca', randomBytes(2 * FRAME_BYTES + 12_345))
  await it.put('world/region/r.0.1.mca', randomBytes(FRAME_BYTES / 2))
  await it.put('plugins/Ünï ☃/config.yml', 'a: 1')
  await it.put(`plugins/${LONG}`, 'long')
  await it.put('empty.txt', '')
  await chmod(it.at('server/server.properties'), 0o640)
  await utimes(it.at('server/empty.txt'), 1_600_000_000.123, 1_600_000_000.123)
  await mkdir(it.at('server/plugins/nothing'))
  return it
}

it('brings back every file with its time and mode, and empty folders', async () => {
  const { at, store, id, source } = await filled()
  const saved = await store.save(id, source(), none)
  expect(saved).toMatchObject({ files: 6, missing: [] })
  expect(saved.bytes).toBe(2 * FRAME_BYTES + 12_345 + FRAME_BYTES / 2 + 18)
  expect(await store.ids()).toEqual([id])
  await mkdir(at('back'))
  await store.extract(id, null, at('back'), none)
  expect(await treeOf(at('back'))).toEqual(await treeOf(at('server')))
  expect(existsSync(at('back/plugins/nothing'))).toBe(true)
  expect(await store.check(id, none)).toEqual({ damaged: [] })
})

it('is unpacked by tar and zstd too', async () => {
  const { at, store, id, source } = await filled()
  await store.save(id, source(), none)
  await mkdir(at('back'))
  try {
    execFileSync('zstd', ['--version'])
  } catch {
    return
  }
  execFileSync('sh', ['-c', `zstd -dc '${at('backups', `${id}.tar.zst`)}' | tar -x -C '${at('back')}'`])
  const seconds = (tree: Record<string, string>) =>
    Object.fromEntries(Object.entries(tree).map(([name, one]) => [name, one.replace(/ (\d+)\d{3} /, ' $1 ')]))
  expect(seconds(await treeOf(at('back')))).toEqual(seconds(await treeOf(at('server'))))
})

it('reads a folder, one file and a part of a file, and refuses what is not in it', async () => {
  const { at, store, id, source } = await filled()
  await store.save(id, source(), none)
  expect((await store.list(id, '')).map(({ path: name }) => name).sort()).toEqual([
    ...['empty.txt', 'plugins', 'server.properties', 'world'],
  ])
  const region = await readFile(at('server/world/region/r.0.0.mca'))
  const read = async (range?: { start: number; end: number }) =>
    Buffer.concat(await (await store.read(id, 'world/region/r.0.0.mca', range)).toArray())
  expect((await read()).equals(region)).toBe(true)
  const [start, end] = [FRAME_BYTES - 10, 2 * FRAME_BYTES + 10]
  expect((await read({ start, end })).equals(region.subarray(start, end))).toBe(true)
  await expect(store.list(id, 'nowhere')).rejects.toMatchObject({ status: 404 })
  await expect(store.read(id, 'nowhere')).rejects.toMatchObject({ status: 404 })
  await mkdir(at('part'))
  await store.extract(id, ['world/region/r.0.1.mca', 'plugins/nothing'], at('part'), none)
  expect(Object.keys(await treeOf(at('part')))).toEqual(['world/region/r.0.1.mca'])
  expect(existsSync(at('part/plugins/nothing'))).toBe(true)
})

it('leaves out what is excluded, locks, logs and what the software unpacks again', async () => {
  const { put, store, id, source } = await filled()
  for (const name of ['world/session.lock', 'logs/latest.log', 'libraries/a.jar', 'plugins/map/tiles/1.png'])
    await put(name, 'x')
  await store.save(id, source({ exclude: ['plugins/*/tiles', 'emp*.txt'] }), none)
  const names: string[] = []
  for await (const entry of store.walk(id, null)) names.push(entry.path)
  expect(names).toContain('plugins/map')
  expect(names.filter((name) => /lock|logs|libraries|tiles|empty/.test(name))).toEqual([])
})

/** Does something to the files while they are read. */
const meddling = (source: BackupSource, meddle: (entry: SourceEntry) => Promise<void>): BackupSource => ({
  root: source.root,
  async *entries() {
    for await (const entry of source.entries()) {
      if (entry.kind === 'file') await meddle(entry)
      yield entry
    }
  },
})

it('reads a large file again that changes while it is read, and the second time counts, also for tar', async () => {
  const { at, store, id, source } = await filled()
  const region = at('server/world/region/r.0.0.mca')
  let changed = false
  const ports: StorePorts = {
    signal: none.signal,
    progress(done) {
      if (changed || done < FRAME_BYTES) return
      changed = true
      execFileSync('sh', ['-c', `printf changed > '${region}'; head -c 6000000 /dev/zero >> '${region}'`])
    },
  }
  const saved = await store.save(id, source(), ports)
  expect(changed).toBe(true)
  expect(saved.missing).toEqual([])
  await mkdir(at('back'))
  await store.extract(id, null, at('back'), none)
  expect(await treeOf(at('back'))).toEqual(await treeOf(at('server')))
  expect(await store.check(id, none)).toEqual({ damaged: [] })
})

it('names files that vanish, and links that take the place of a file', async () => {
  const { at, store, id, source } = await filled()
  await writeFile(at('secret'), 'of somebody else')
  const saved = await store.save(
    id,
    meddling(source(), async ({ path: name, from }) => {
      if (name === 'empty.txt') execFileSync('rm', [from])
      if (name === 'server.properties') execFileSync('ln', ['-sf', at('secret'), from])
      if (name.startsWith('plugins/Ü'))
        execFileSync('sh', [
          '-c',
          `mv '${path.dirname(from)}' '${at('gone')}'; ln -s '${at('gone')}' '${path.dirname(from)}'`,
        ])
    }),
    none,
  )
  expect(saved.missing).toEqual(
    expect.arrayContaining([
      { path: 'empty.txt', reason: 'changed' },
      { path: 'server.properties', reason: 'unreadable' },
      { path: 'plugins/Ünï ☃/config.yml', reason: 'unreadable' },
    ]),
  )
})

it('leaves nothing behind when it is canceled or fails', async () => {
  const { at, store, id, source } = await filled()
  const control = new AbortController()
  const ports = { signal: control.signal, progress: () => control.abort(new Error('enough')) }
  await expect(store.save(id, source(), ports)).rejects.toThrow('enough')
  expect(await readdir(at('backups'))).toEqual([])
})

it('sweeps what a killed service left, and keeps what is whole', async () => {
  const { at, store, id, source } = await filled()
  await store.save(id, source(), none)
  const left = [`${randomUUID()}.tar.zst.new`, `${randomUUID()}.list.zst.new`, `${randomUUID()}.list.zst`]
  for (const name of left) await writeFile(at('backups', name), 'x')
  await store.sweep()
  expect((await readdir(at('backups'))).sort()).toEqual([`${id}.list.zst`, `${id}.tar.zst`])
  await store.remove([id])
  expect(await readdir(at('backups'))).toEqual([])
})

it('a database in use is copied whole, without what lies beside it', async () => {
  const { at, store, id, source } = await filled()
  const { DatabaseSync } = await import('node:sqlite')
  const db = new DatabaseSync(at('server/plugins/data.db'))
  onTestFinished(() => db.close())
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (n); INSERT INTO t VALUES (1), (2), (3)')
  expect(existsSync(at('server/plugins/data.db-wal'))).toBe(true)
  await store.save(id, source(), none)
  await mkdir(at('back'))
  await store.extract(id, ['plugins'], at('back'), none)
  expect(existsSync(at('back/plugins/data.db-wal'))).toBe(false)
  const copy = new DatabaseSync(at('back/plugins/data.db'))
  onTestFinished(() => copy.close())
  expect(copy.prepare('SELECT sum(n) AS sum FROM t').get()).toEqual({ sum: 6 })
})

test.each([0.01, 0.3, 0.6, 0.95])(
  'finds a wrong byte at %d of the archive, and brings back the rest',
  async (share) => {
    const { at, store, id, source } = await filled()
    await store.save(id, source(), none)
    const file = at('backups', `${id}.tar.zst`)
    const bytes = await readFile(file)
    bytes[Math.floor(bytes.length * share)]! ^= 0x55
    await writeFile(file, bytes)
    const { damaged } = await store.check(id, none)
    expect(damaged.length).toBeGreaterThan(0)
    await mkdir(at('back'))
    await expect(store.extract(id, damaged.slice(0, 1), at('back'), none)).rejects.toMatchObject({
      code: 'backups.damaged',
    })
    const sound: string[] = []
    for await (const one of store.walk(id, null))
      if (one.kind === 'file' && !damaged.includes(one.path)) sound.push(one.path)
    await mkdir(at('rest'))
    if (sound.length > 0) await store.extract(id, sound, at('rest'), none)
    expect(Object.keys(await treeOf(at('rest')))).toHaveLength(sound.length)
  },
)

it('a truncated archive and a missing one are damaged', async () => {
  const { at, store, id, source } = await filled()
  await store.save(id, source(), none)
  const file = at('backups', `${id}.tar.zst`)
  await writeFile(file, (await readFile(file)).subarray(0, -100_000))
  expect((await store.check(id, none)).damaged.length).toBeGreaterThan(0)
  execFileSync('rm', [file])
  await expect(store.check(id, none)).rejects.toMatchObject({ code: 'backups.damaged' })
})

it('a list of many files is read to its end', async () => {
  const file = path.join(await temporaryFolder(), 'list')
  {
    await using handle = await open(file, 'w')
    const list = new ListWriter(handle)
    for (let n = 0; n < MANY; n++)
      await list.entry({
        ...{
          path: `world/${n}`,
          kind: 'file',
          size: 1,
          modifiedAt: n,
          mode: 0o644,
          at: n * 1024,
          sha256: SUM,
        },
      })
    await list.end()
  }
  let count = 0
  for await (const line of readList(file))
    if ('entry' in line && line.entry.path === `world/${count}`) count++
  expect(count).toBe(MANY)
})

/** Several megabytes of list. */
const MANY = 40_000
const SUM = 'a'.repeat(64)
const entryLine = (name: unknown, more: unknown[] = [10, 0, SUM]) => ['f', name, 0, 420, ...more]
test.each([
  ['no list at all', 'nonsense'],
  ['a path outside', [entryLine('../outside')]],
  ['an absolute path', [entryLine('/etc/passwd')]],
  ['a path with a hole', [entryLine('a//b')]],
  ['a number as path', [entryLine(1)]],
  ['a zero byte', [entryLine('a\u0000b')]],
  ['an impossible size', [entryLine('a', [-1, 0, SUM])]],
  ['a size beyond numbers', [entryLine('a', [2 ** 53, 2 ** 53, SUM])]],
  ['no checksum', [entryLine('a', [1, 0, 'x'])]],
  ['an endless line', [entryLine('a'.repeat(100_000))]],
  ['a frame of gigabytes', [[2 ** 40]]],
  ['a thing that is no line', [{}]],
])('a list with %s is damaged', async (_what, lines) => {
  const { at, store, id, source } = await filled()
  await store.save(id, source(), none)
  const rows = Array.isArray(lines) ? [['wheelhouse-backup', 1], ...lines, ['end', lines.length]] : [lines]
  const text = rows.map((line) => `${JSON.stringify(line)}\n`).join('')
  await writeFile(at('backups', `${id}.list.zst`), zstdCompressSync(text))
  await expect(store.list(id, '')).rejects.toMatchObject({ code: 'backups.damaged' })
  await mkdir(at('back'))
  await expect(store.extract(id, null, at('back'), none)).rejects.toMatchObject({ code: 'backups.damaged' })
  expect(existsSync(at('outside'))).toBe(false)
})

it('a list that is cut off or goes on after its end is damaged, and so is one that names bytes nobody has', async () => {
  const { at, store, id, source } = await filled()
  await store.save(id, source(), none)
  const file = at('backups', `${id}.list.zst`)
  const whole = await readFile(file)
  await writeFile(file, whole.subarray(0, -20))
  await expect(store.list(id, '')).rejects.toMatchObject({ code: 'backups.damaged' })
  await writeFile(file, whole)
  await appendFile(file, zstdCompressSync('["more"]\n'))
  await expect(store.list(id, '')).rejects.toMatchObject({ code: 'backups.damaged' })
  const rows = [['wheelhouse-backup', 1], entryLine('a', [10, 2 ** 40, SUM]), ['end', 1]]
  await writeFile(file, zstdCompressSync(rows.map((line) => `${JSON.stringify(line)}\n`).join('')))
  expect(await store.check(id, none)).toEqual({ damaged: ['a'] })
})
