import { mkdir, readFile, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { CuttableLine } from '../../../tests/fixtures/cuttable-line.ts'
import {
  hashes,
  type TransfersFixture,
  openRoom,
  put,
  startTarget,
  type Target,
  temporary,
  tree,
} from './transfers.fixture.ts'

const MIB = 1024 * 1024

let target: Target
let source: string
beforeEach(async () => {
  target = await startTarget()
  source = await temporary()
})

const open = (options: Parameters<typeof openRoom>[1] = {}) =>
  openRoom({ here: { baseUrl: target.service.baseUrl, token: target.token } }, options)
const to = (folder = '') => ({ connectionId: 'here', serverId: target.serverId, folder })
const arrived = (name: string) => readFile(path.join(target.folder, name))
const ended = ({ endedAt }: { endedAt: string | null }) => endedAt !== null

async function pick(...files: [string, number][]) {
  const picked = []
  for (const [name, size] of files) picked.push({ path: name, file: await put(source, name, size) })
  return picked
}

async function send(opened: TransfersFixture, files: { path: string; file: string }[], folder = '') {
  const { transferId } = await opened.room.upload({ to: to(folder), files, folders: [] })
  return opened.until((one) => one.id === transferId && (ended(one) || one.state === 'asking'))
}

describe('an upload', () => {
  it('brings small and large files, empty ones and empty folders, with their times', async () => {
    const opened = await open()
    const files = await pick(['world/level.dat', 100], ['world/big.mca', 9 * MIB], ['世界/空 🙂.txt', 0])
    const time = new Date('2020-02-03T04:05:06Z')
    await utimes(files[1]!.file, time, time)
    const { transferId } = await opened.room.upload({ to: to('in'), files, folders: ['world/none'] })
    const done = await opened.until((one) => one.id === transferId && ended(one))
    expect(done).toMatchObject({
      state: 'done',
      files: 3,
      filesDone: 3,
      bytes: 9 * MIB + 100,
      name: 'world',
      others: 1,
    })
    expect(done.bytesDone).toBe(done.bytes)
    for (const { path: name, file } of files)
      expect((await arrived(`in/${name}`)).equals(await readFile(file))).toBe(true)
    expect((await stat(path.join(target.folder, 'in/world/big.mca'))).mtime).toEqual(time)
    expect(await readdir(path.join(target.folder, 'in/world/none'))).toEqual([])
  })

  it('tells how fast each file that moves does, and how long it still takes', async () => {
    const opened = await open()
    await opened.room.limit({ limit: 4 * MIB, atOnce: 1 })
    const files = await pick(['a.bin', 24 * MIB], ['b.bin', 24 * MIB])
    const { transferId } = await opened.room.upload({ to: to(), files, folders: [] })
    await opened.until((one) => one.rate !== null)
    const shown = await opened.room.items({ transferId, only: 'all', offset: 0, limit: 10 })
    const [moves, waits] = shown.items
    expect(moves).toMatchObject({ path: 'a.bin', state: 'running' })
    expect(moves?.rate).toBeGreaterThan(0)
    expect(moves?.secondsLeft).toBe(Math.ceil((moves!.size - moves!.bytesDone) / moves!.rate!))
    expect(waits).toMatchObject({ path: 'b.bin', rate: null, secondsLeft: null })
    await opened.room.pause(transferId)
    const paused = await opened.room.items({ transferId, only: 'all', offset: 0, limit: 10 })
    expect(paused.items.map(({ rate }) => rate)).toEqual([null, null])
  })

  it('goes on by itself where it stood after the connection was cut', async () => {
    const { port } = new URL(target.service.baseUrl)
    const line = await CuttableLine.to('127.0.0.1', Number(port))
    const baseUrl = target.service.baseUrl.replace(`:${port}`, `:${line.port}`)
    const opened = await openRoom({ here: { baseUrl, token: target.token } })
    const [file] = await pick(['big.bin', 24 * MIB])
    await opened.room.limit({ limit: 16 * MIB, atOnce: 2 })
    const { transferId } = await opened.room.upload({ to: to(), files: [file!], folders: [] })
    await opened.until((one) => one.bytesDone > 0)
    await line.cut()
    const away = await opened.until((one) => one.state === 'offline')
    expect(away.problem?.code).toBe('offline')
    expect(await readdir(target.folder)).not.toContain('big.bin')
    await line.mend()
    await opened.room.limit({ limit: null, atOnce: 2 })
    const done = await opened.until((one) => one.id === transferId && ended(one))
    expect(done.state).toBe('done')
    expect((await arrived('big.bin')).equals(await readFile(file!.file))).toBe(true)
    // Confirmed bytes were never given up: what was told only rose.
    const bytes = opened.told.map(({ items }) => items[0]?.bytesDone ?? 0)
    expect(bytes).toEqual(bytes.toSorted((a, b) => a - b))
    await line.cut()
  })

  it('goes on after the panel was closed in the middle, and nothing is doubled', async () => {
    const first = await open()
    const files = await pick(
      ['a/big.bin', 20 * MIB],
      ...Array.from({ length: 40 }, (_, n): [string, number] => [`a/${n}.txt`, 500 + n]),
    )
    await first.room.limit({ limit: 8 * MIB, atOnce: 2 })
    const { transferId } = await first.room.upload({ to: to(), files, folders: [] })
    await first.until((one) => one.bytesDone > 4 * MIB)
    await first.close()
    const second = await open({ dataDir: first.folder })
    await second.room.limit({ limit: null, atOnce: 2 })
    const done = await second.until((one) => one.id === transferId && ended(one))
    expect(done).toMatchObject({ state: 'done', filesDone: 41 })
    expect((await readdir(path.join(target.folder, 'a'))).length).toBe(41)
    for (const { path: name, file } of files)
      expect((await arrived(name)).equals(await readFile(file))).toBe(true)
  })

  it('asks about a taken name and brings the others meanwhile; the answer decides', async () => {
    const opened = await open()
    await put(target.folder, 'taken.txt', 10)
    await put(target.folder, 'big.bin', 10)
    const files = await pick(['taken.txt', 20], ['free.txt', 30], ['big.bin', 2 * MIB])
    const asking = await send(opened, files)
    await opened.until((one) => one.filesDone === 1)
    expect(await arrived('free.txt')).toHaveLength(30)
    expect(await arrived('taken.txt')).toHaveLength(10)
    const shown = await opened.until(
      (one) => one.asking?.path === 'taken.txt' && one.asking.theirs.size === 10,
    )
    await opened.room.answer({
      transferId: asking.id,
      itemId: shown.asking!.itemId,
      choice: 'keep-both',
      forAll: false,
    })
    const next = await opened.until((one) => one.asking?.path === 'big.bin')
    await opened.room.answer({
      transferId: asking.id,
      itemId: next.asking!.itemId,
      choice: 'replace',
      forAll: false,
    })
    const done = await opened.until(ended)
    expect(done).toMatchObject({ state: 'done', filesDone: 3 })
    expect(await arrived('big.bin')).toHaveLength(2 * MIB)
    expect(await arrived('taken.txt')).toHaveLength(10)
    const { items } = await opened.room.items({ transferId: asking.id, only: 'all', offset: 0, limit: 10 })
    const kept = items.find((item) => item.path === 'taken.txt')?.finalPath
    expect(await arrived(kept!)).toHaveLength(20)
  })

  it('skips all that is taken where that was said for all', async () => {
    const opened = await open()
    for (const name of ['a', 'b', 'c']) await put(target.folder, name, 10)
    const asking = await send(opened, await pick(['a', 20], ['b', 20], ['c', MIB], ['d', 20]))
    await opened.room.answer({
      transferId: asking.id,
      itemId: asking.asking!.itemId,
      choice: 'skip',
      forAll: true,
    })
    const done = await opened.until(ended)
    expect(done).toMatchObject({ state: 'done', filesDone: 1, filesSkipped: 3 })
    expect([...(await tree(target.folder)).values()].filter((content) => content.length === 10)).toHaveLength(
      3,
    )
  })

  it('retries only what failed, after its reason is gone', async () => {
    const opened = await open()
    const files = await pick(['one.bin', MIB], ['two.bin', MIB])
    const missing = path.join(source, 'late.bin')
    const failed = await send(opened, [...files, { path: 'late.bin', file: missing }])
    expect(failed).toMatchObject({ state: 'failed', filesDone: 2, filesFailed: 1 })
    const { items } = await opened.room.items({ transferId: failed.id, only: 'failed', offset: 0, limit: 9 })
    expect(items).toMatchObject([{ path: 'late.bin', problem: { code: 'not-found' } }])
    const before = await stat(path.join(target.folder, 'one.bin'))
    await writeFile(missing, 'here now')
    await opened.room.retry(failed.id)
    const done = await opened.until((one) => one.state === 'done')
    expect(done.filesDone).toBe(3)
    expect(String(await arrived('late.bin'))).toBe('here now')
    expect((await stat(path.join(target.folder, 'one.bin'))).ino).toBe(before.ino)
  })

  it('retries what was left waiting in a transfer that has ended, however that came to be', async () => {
    const first = await open()
    const failed = await send(first, [
      ...(await pick(['a.bin', MIB])),
      { path: 'b', file: path.join(source, 'b') },
    ])
    expect(failed).toMatchObject({ state: 'failed', filesDone: 1, filesFailed: 1 })
    await first.close()
    const db = new DatabaseSync(path.join(first.folder, 'transfers.db'))
    db.exec("UPDATE items SET state = 'waiting' WHERE state = 'failed'")
    db.close()
    await writeFile(path.join(source, 'b'), 'here now')
    const second = await open({ dataDir: first.folder })
    expect((await second.room.list()).items).toMatchObject([{ state: 'failed', filesDone: 1 }])
    await second.room.retry(failed.id)
    expect(await second.until((one) => one.state === 'done')).toMatchObject({ filesDone: 2 })
    expect(String(await arrived('b'))).toBe('here now')
  })

  it('begins a file anew that changed while it waited', async () => {
    const opened = await open()
    const [file] = await pick(['log.txt', 5 * MIB])
    await opened.room.limit({ limit: 4 * MIB, atOnce: 1 })
    const { transferId } = await opened.room.upload({ to: to(), files: [file!], folders: [] })
    await opened.until((one) => one.bytesDone > 0)
    await opened.room.pause(transferId)
    await writeFile(file!.file, 'another text')
    await opened.room.resume(transferId)
    expect(await opened.until(ended)).toMatchObject({ state: 'done', bytes: 12, bytesDone: 12 })
    expect(String(await arrived('log.txt'))).toBe('another text')
  })

  it('keeps to the order that was asked', async () => {
    const opened = await open()
    await opened.room.limit({ limit: 512 * 1024, atOnce: 1 })
    const files = await pick(['first', 400 * 1024], ['second', 300 * 1024], ['third', 300 * 1024])
    const ids: string[] = []
    for (const file of files)
      ids.push((await opened.room.upload({ to: to(), files: [file], folders: [] })).transferId)
    await opened.room.reorder({ transferId: ids[2]!, before: ids[1]! })
    await opened.until((one) => one.id === ids[1] && ended(one))
    const order = opened.told
      .flatMap(({ items }) => items.filter(ended).map(({ id }) => id))
      .filter((id, at, all) => all.indexOf(id) === at)
    expect(order).toEqual([ids[0], ids[2], ids[1]])
  })

  it('says before the first byte that a file is larger than the service takes', async () => {
    target = await startTarget({ fileLimits: { maxFileBytes: MIB } })
    const opened = await open()
    const failed = await send(opened, await pick(['large.bin', 2 * MIB], ['small.bin', 10]))
    expect(failed).toMatchObject({ state: 'failed', filesDone: 1, filesFailed: 1 })
    const { items } = await opened.room.items({ transferId: failed.id, only: 'failed', offset: 0, limit: 9 })
    expect(items[0]).toMatchObject({
      path: 'large.bin',
      bytesDone: 0,
      problem: { code: 'too-large', message: expect.stringContaining('up to 1 MB') as string },
    })
  })

  it('keeps no token on disk', async () => {
    const opened = await open()
    await send(opened, await pick(['a.bin', 2 * MIB], ['b.txt', 20]))
    await opened.close()
    for (const [, content] of await tree(opened.folder)) expect(content.includes(target.token)).toBe(false)
  })
})

describe('a download', () => {
  it('brings a tree with its structure under a name that is free', async () => {
    const opened = await open()
    await put(target.folder, 'world/region/r.mca', 3 * MIB)
    await put(target.folder, 'world/level.dat', 10)
    await mkdir(path.join(target.folder, 'world/empty'))
    await mkdir(path.join(opened.downloads, 'world'), { recursive: true })
    await opened.room.download({ connectionId: 'here', serverId: target.serverId, paths: ['world'] })
    expect(await opened.until(ended)).toMatchObject({ state: 'done', filesDone: 2 })
    const there = await hashes(path.join(target.folder, 'world'))
    expect(await hashes(path.join(opened.downloads, 'world (2)'))).toEqual(there)
    expect(await readdir(path.join(opened.downloads, 'world (2)', 'empty'))).toEqual([])
  })

  it('goes on where it stood after the panel was closed', async () => {
    await put(target.folder, 'big.bin', 12 * MIB)
    const first = await open()
    await first.room.limit({ limit: 6 * MIB, atOnce: 1 })
    await first.room.download({ connectionId: 'here', serverId: target.serverId, paths: ['big.bin'] })
    await first.until((one) => one.bytesDone > 0)
    await first.close()
    expect(await readdir(first.downloads)).toEqual([expect.stringMatching(/^\.big\.bin\.\d+\.part$/)])
    const second = await open({ dataDir: first.folder, downloads: first.downloads })
    await second.room.limit({ limit: null, atOnce: 1 })
    expect(await second.until(ended)).toMatchObject({ state: 'done' })
    expect(await readdir(first.downloads)).toEqual(['big.bin'])
    expect((await readFile(path.join(first.downloads, 'big.bin'))).equals(await arrived('big.bin'))).toBe(
      true,
    )
  })
})

describe('a copy between servers', () => {
  it('streams a tree from one service to another', async () => {
    const other = await startTarget()
    const opened = await openRoom({
      here: { baseUrl: target.service.baseUrl, token: target.token },
      there: { baseUrl: other.service.baseUrl, token: other.token },
    })
    await put(target.folder, 'world/region/r.mca', 20 * MIB)
    await put(target.folder, 'world/level.dat', 10)
    await put(target.folder, 'world/nothing', 0)
    await opened.room.copy({
      from: { connectionId: 'here', serverId: target.serverId },
      paths: ['world'],
      to: { connectionId: 'there', serverId: other.serverId, folder: 'kept' },
    })
    expect(await opened.until(ended)).toMatchObject({ state: 'done', filesDone: 3, kind: 'copy' })
    expect(await hashes(path.join(other.folder, 'kept/world'))).toEqual(
      await hashes(path.join(target.folder, 'world')),
    )
  })
})
