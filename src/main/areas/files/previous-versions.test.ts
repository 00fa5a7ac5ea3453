import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openCache, type Cache } from '../../views/cache/cache.ts'
import type { FormerBounds } from '../../views/cache/tables/previous-version-table.ts'
import { noLog } from '../../logging/log.ts'
import { PREVIOUS_VERSIONS_BOUNDS, PreviousVersions } from './previous-versions.ts'

const server = { connectionId: 'c', serverId: 's' }
const other = { connectionId: 'c', serverId: 'other' }
const DAY = 24 * 60 * 60 * 1000

let root: string
let folder: string
let cache: Cache
let now: number
let seen: number

const open = (bounds?: FormerBounds) =>
  new PreviousVersions({
    folder,
    cache,
    log: noLog,
    now: () => now,
    seen: () => seen,
    ...(bounds ? { bounds } : {}),
  })
const kept = async () => (await readdir(folder)).length

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'former-'))
  folder = join(root, 'former contents')
  cache = await openCache(join(root, 'cache.db'))
  now = Date.parse('2026-11-20T12:00:00Z')
  seen = 0
})
afterEach(async () => {
  await cache.close()
  await rm(root, { recursive: true })
})

it('keeps contents of a file, newest first, each with why and when', async () => {
  const former = open()
  await former.keep(server, 'a.txt', Buffer.from('\ufeffone\r\n'), 'saved')
  now += 1000
  await former.keep(server, 'a.txt', Buffer.from('two'), 'deleted')
  await former.keep(server, 'b.txt', Buffer.from('else'), 'saved')
  await former.keep(other, 'a.txt', Buffer.from('elsewhere'), 'saved')
  const [two, one] = await former.list(server, 'a.txt')
  expect(two).toMatchObject({ path: 'a.txt', size: 3, at: '2026-11-20T12:00:01.000Z', because: 'deleted' })
  expect(one).toMatchObject({ size: 8, at: '2026-11-20T12:00:00.000Z', because: 'saved' })
  expect(await former.text(server, one?.id ?? '')).toBe('\ufeffone\r\n')
  expect((await former.list(server)).map(({ path }) => path)).toEqual(['b.txt', 'a.txt', 'a.txt'])
})

it('keeps them for this user alone', async () => {
  const id = (await open().keep(server, 'a.txt', Buffer.from('secret'), 'saved')) ?? ''
  expect((await stat(join(folder, id))).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

it('gives none of another server or connection', async () => {
  const id = (await open().keep(server, 'a.txt', Buffer.from('x'), 'saved')) ?? ''
  await expect(open().text(other, id)).rejects.toMatchObject({ problem: { code: 'not-found' } })
  await expect(open().text({ ...server, connectionId: 'd' }, id)).rejects.toMatchObject({
    problem: { code: 'not-found' },
  })
})

it('keeps twenty of each file', async () => {
  const former = open()
  for (let at = 0; at < 23; at++) await former.keep(server, 'a.txt', Buffer.from(String(at)), 'saved')
  await former.keep(server, 'b.txt', Buffer.from('b'), 'saved')
  const list = await former.list(server, 'a.txt')
  expect(list).toHaveLength(20)
  expect(await former.text(server, list.at(-1)?.id ?? '')).toBe('3')
  expect(await kept()).toBe(21)
})

it('keeps so many bytes in all, of all servers together, the newest', async () => {
  const former = open({ ...PREVIOUS_VERSIONS_BOUNDS, bytes: 25 })
  for (const name of ['a', 'b', 'c']) await former.keep(server, name, Buffer.alloc(10, name), 'saved')
  expect((await former.list(server)).map(({ path }) => path)).toEqual(['c', 'b'])
  await former.keep(other, 'd', Buffer.alloc(20, 'd'), 'saved')
  expect(await former.list(server)).toEqual([])
  expect(await kept()).toBe(1)
})

it('keeps them where the clock jumps by a month or a century, ahead or back', async () => {
  await open().keep(server, 'a.txt', Buffer.from('x'), 'saved')
  for (const set of [31 * DAY, 36_500 * DAY, -40_000 * DAY]) {
    now += set
    await open().keep(server, `${set}.txt`, Buffer.from('x'), 'deleted')
    await open().sweep()
  }
  expect(await kept()).toBe(4)
})

it('begins to count the age of what was kept without one, or by a count that was lost', async () => {
  seen = 100 * DAY
  await open().keep(server, 'a.txt', Buffer.from('x'), 'saved')
  seen = 0
  await open().sweep()
  seen = 30 * DAY
  await open().sweep()
  expect(await kept()).toBe(1)
  seen += 1
  await open().sweep()
  expect(await kept()).toBe(0)
})

it('keeps them for thirty days', async () => {
  await open().keep(server, 'old.txt', Buffer.from('x'), 'saved')
  seen += 2 * DAY
  await open().keep(server, 'newer.txt', Buffer.from('x'), 'saved')
  seen += 28 * DAY + 1
  await open().sweep()
  expect((await open().list(server)).map(({ path }) => path)).toEqual(['newer.txt'])
  expect(await kept()).toBe(1)
})

it('moves files aside of which nothing is noted down, and no others', async () => {
  const id = await open().keep(server, 'a.txt', Buffer.from('x'), 'saved')
  await writeFile(join(folder, 'left-over'), 'x')
  const former = open()
  const [, later] = await Promise.all([
    former.sweep(),
    former.keep(server, 'b.txt', Buffer.from('y'), 'saved'),
  ])
  expect((await readdir(folder)).sort()).toEqual([id, later].sort())
  const [aside = ''] = await readdir(join(root, 'set aside'))
  expect(await readdir(join(root, 'set aside', aside))).toEqual(['left-over'])
})

it('never takes one that is just being kept for one of which nothing is noted down', async () => {
  const former = open()
  const kept: (string | null)[] = []
  for (let at = 0; at < 15; at++) {
    const [, id] = await Promise.all([
      former.sweep(),
      former.keep(server, `${at}.txt`, Buffer.alloc(100_000), 'saved'),
      former.sweep(),
    ])
    kept.push(id)
  }
  expect((await readdir(folder)).sort()).toEqual(kept.sort())
})

it('takes them along where a file, or a folder above it, is moved', async () => {
  const former = open()
  for (const path of ['a', 'a/b.txt', 'ab.txt', 'x/a/b.txt'])
    await former.keep(server, path, Buffer.from(path), 'saved')
  await former.moved(server, 'a', 'é/c')
  expect((await former.list(server)).map(({ path }) => path)).toEqual([
    'x/a/b.txt',
    'ab.txt',
    'é/c/b.txt',
    'é/c',
  ])
})

it('lets go of one that is not former after all', async () => {
  const former = open()
  await former.remove(await former.keep(server, 'a.txt', Buffer.from('x'), 'saved'))
  expect([await former.list(server), await kept()]).toEqual([[], 0])
})

it('wipes a server, or the whole connection, from list and disk', async () => {
  const former = open()
  await former.keep(server, 'a.txt', Buffer.from('x'), 'saved')
  await former.keep(other, 'a.txt', Buffer.from('x'), 'saved')
  await former.keep({ ...server, connectionId: 'd' }, 'a.txt', Buffer.from('x'), 'saved')
  await former.wipe('c', 's')
  expect([(await former.list(server)).length, (await former.list(other)).length, await kept()]).toEqual([
    0, 1, 2,
  ])
  await former.wipe('c')
  expect([(await former.list(other)).length, await kept()]).toEqual([0, 1])
})

it('says so where a content is no longer there, and goes on where one cannot be kept', async () => {
  const id = (await open().keep(server, 'a.txt', Buffer.from('x'), 'saved')) ?? ''
  await rm(folder, { recursive: true })
  await expect(open().text(server, id)).rejects.toMatchObject({ problem: { code: 'not-found' } })
  await writeFile(folder, 'a file where the folder should be')
  expect(await open().keep(server, 'b.txt', Buffer.from('x'), 'saved')).toBeNull()
  expect(await open().list(server, 'b.txt')).toEqual([])
})
