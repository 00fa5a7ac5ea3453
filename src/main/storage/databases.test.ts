import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { StartProblem } from '../../host/start-problem.ts'
import { openCache } from '../views/cache/cache.ts'
import { openStore } from '../transfers/open.ts'
import { Databases, type DatabasesOptions } from './databases.ts'

async function files() {
  const folder = await mkdtemp(join(tmpdir(), 'databases-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return { cacheFile: join(folder, 'cache.db'), transfersFile: join(folder, 'transfers.db') }
}

it.each(['cache', 'transfers'] as const)(
  'a damaged file of the %s is set aside and begun anew, and the other one is as it was',
  async (which) => {
    const { cacheFile, transfersFile } = await files()
    const databases = new Databases()
    const damaged = 'no database at all'.repeat(1000)
    await writeFile(which === 'cache' ? cacheFile : transfersFile, damaged)
    const cache = await openCache(cacheFile, databases)
    const store = await openStore(transfersFile, databases)
    const [bad, good] = which === 'cache' ? [cache, store] : [store, cache]
    expect(await good.begunAnew()).toBeNull()
    const aside = await bad.begunAnew()
    expect(await readFile(join(aside ?? '', `${which}.db`), 'utf8')).toBe(damaged)
    for (const one of [bad, good]) {
      await one.writeSetting('limit', '1')
      expect(await one.readSetting('limit')).toBe('1')
      await one.close()
    }
  },
)

it.each([
  ['cache', 'DROP TABLE views'],
  ['cache', 'DROP TABLE lines'],
  ['cache', 'ALTER TABLE drafts DROP COLUMN etag'],
  ['transfers', 'DROP TABLE items'],
  ['transfers', 'DROP TABLE transfers'],
  ['transfers', 'DROP TABLE settings'],
] as const)('a file of the %s after “%s” is set aside and begun anew', async (which, change) => {
  const { cacheFile, transfersFile } = await files()
  const open = (databases: Databases) =>
    which === 'cache' ? openCache(cacheFile, databases) : openStore(transfersFile, databases)
  const first = await open(new Databases())
  await first.writeSetting('limit', '1')
  await first.close()
  const file = which === 'cache' ? cacheFile : transfersFile
  const other = new DatabaseSync(file)
  other.exec(`PRAGMA foreign_keys = OFF; ${change}`)
  other.close()
  const told: string[] = []
  const again = await open(new Databases({ onBegunAnew: (_wanted, aside) => void told.push(aside) }))
  expect(told).toEqual([await again.begunAnew()])
  expect(existsSync(join(told[0] ?? '', `${which}.db`))).toBe(true)
  expect(await again.readSetting('limit')).toBeNull()
  await again.close()
})

it('a file of a newer panel is left as it is, and told as one', async () => {
  const { cacheFile } = await files()
  const databases = new Databases()
  await (await openCache(cacheFile, databases)).close()
  const newer = new DatabaseSync(cacheFile)
  newer.exec('PRAGMA user_version = 999')
  newer.close()
  const before = await readFile(cacheFile)
  await expect(openCache(cacheFile, databases)).rejects.toMatchObject({
    name: 'StartProblem',
    code: 'data-from-the-future',
    message: expect.stringContaining(cacheFile),
  })
  expect((await readFile(cacheFile)).equals(before)).toBe(true)
})

it('a file that can be used again is opened, although nothing else was open', async () => {
  const { cacheFile } = await files()
  const databases = new Databases()
  await (await openCache(cacheFile, databases)).close()
  const newer = new DatabaseSync(cacheFile)
  newer.exec('PRAGMA user_version = 999')
  newer.close()
  await expect(openCache(cacheFile, databases)).rejects.toThrow(StartProblem)
  await rm(cacheFile)
  const cache = await openCache(cacheFile, databases)
  expect(await cache.records()).toEqual([])
  await cache.close()
})

it('a file that is damaged while it is in use is told once, with every call that fails, and ends nothing', async () => {
  const { cacheFile, transfersFile } = await files()
  const told: string[] = []
  const databases = new Databases({ onDamage: (file) => told.push(file) })
  const cache = await openCache(cacheFile, databases)
  const store = await openStore(transfersFile, databases)
  for (let at = 0; at < 200; at++)
    await cache.writeView(`${at}`, 'c', null, { value: JSON.stringify('x'.repeat(5000)), asOf: 'then' })
  const other = new DatabaseSync(cacheFile)
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  other.close()
  // Behind the first page, which holds the schema.
  const { size } = await stat(cacheFile)
  await writeFile(cacheFile, (await readFile(cacheFile)).fill(0xa5, 4096, size))
  const calls = Array.from({ length: 200 }, (_, at) => cache.readView(`${at}`))
  const failed = (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected')
  expect(failed.length).toBeGreaterThan(0)
  for (const one of failed)
    expect(one).toMatchObject({ reason: { name: 'DatabaseFileError', file: cacheFile } })
  expect(told).toEqual([cacheFile])
  await store.writeSetting('limit', '1')
  expect(await store.readSetting('limit')).toBe('1')
  await cache.close().catch(() => undefined)
  await store.close()
})

it('a file that is deleted while it is in use is written again at the end', async () => {
  const { cacheFile } = await files()
  const databases = new Databases()
  const cache = await openCache(cacheFile, databases)
  await cache.writeSetting('limit', '1')
  for (const beside of ['', '-wal', '-shm']) await rm(cacheFile + beside)
  await cache.writeSetting('limit', '2')
  await cache.close()
  const again = await openCache(cacheFile, databases)
  expect([await again.begunAnew(), await again.readSetting('limit')]).toEqual([null, '2'])
  await again.close()
})

it('closing one leaves the other open, closing twice does no harm, and what was written stays', async () => {
  const { cacheFile, transfersFile } = await files()
  const databases = new Databases()
  const cache = await openCache(cacheFile, databases)
  const store = await openStore(transfersFile, databases)
  await store.writeSetting('limit', '1')
  await store.close()
  await expect(store.readSetting('limit')).rejects.toThrow('closed')
  await cache.writeSetting('local', 'used')
  await cache.close()
  await cache.close()
  const again = await openStore(transfersFile, databases)
  expect(await again.readSetting('limit')).toBe('1')
  await again.close()
})

it('a database that was closed answers no more, and leaves the thread to the other', async () => {
  const { cacheFile, transfersFile } = await files()
  const databases = new Databases()
  const cache = await openCache(cacheFile, databases)
  const store = await openStore(transfersFile, databases)
  const closing = cache.close()
  await expect(cache.readSetting('local')).rejects.toThrow()
  await closing
  expect(await store.readSetting('limit')).toBeNull()
  await store.close()
})

it('lines that a full disk does not take end nothing, and are written once it does', async () => {
  const { cacheFile, transfersFile } = await files()
  const databases = new Databases()
  const cache = await openCache(cacheFile, databases)
  const store = await openStore(transfersFile, databases)
  // Another one holds the file longer than the cache waits for it: to the cache that is a write that fails.
  const holder = new DatabaseSync(cacheFile)
  holder.exec('BEGIN IMMEDIATE')
  const batch = { epoch: '1', firstSeq: 0, times: [0], texts: ['kept'], sources: {} }
  cache.postLines('c', 's', batch)
  await expect(cache.flushLines()).rejects.toThrow('locked')
  await store.writeSetting('limit', '1')
  expect(await store.readSetting('limit')).toBe('1')
  holder.exec('ROLLBACK')
  holder.close()
  expect(await cache.linesBefore('c', 's', null, 9)).toMatchObject([{ texts: ['kept'] }])
  await cache.close()
  await store.close()
})

/** Databases in a thread that can be told to die. */
const mortal = (options: DatabasesOptions = {}) =>
  new Databases({
    ...options,
    source: new URL('../../../tests/doubles/threads/database-thread.ts', import.meta.url),
  })

const die = (database: object) => (database as { die: () => Promise<void> }).die()

it('a thread that comes back to a damaged file tells that it was begun anew, until that was read', async () => {
  const { cacheFile, transfersFile } = await files()
  const told: { file: string; aside: string; read: () => Promise<void> }[] = []
  const onBegunAnew: DatabasesOptions['onBegunAnew'] = ({ file }, aside, read) =>
    void told.push({ file, aside, read })
  const databases = mortal({ onBegunAnew })
  const cache = await openCache(cacheFile, databases)
  const store = await openStore(transfersFile, databases)
  expect(told).toEqual([])
  await expect(die(cache)).rejects.toThrow('nobody catches this')
  // Its log is gone once the thread has ended; it would bring back what the file holds.
  await expect.poll(() => existsSync(`${cacheFile}-wal`)).toBe(false)
  await writeFile(cacheFile, 'garbage')
  await cache.readSetting('local')
  await expect.poll(() => told.map(({ file }) => file)).toEqual([cacheFile])
  expect(await readFile(join(told[0]?.aside ?? '', 'cache.db'), 'utf8')).toBe('garbage')
  await cache.close()
  // Its thread is gone, and nobody has asked for it since.
  await store.close().catch(() => undefined)
  // Whoever was not there to read it is told again.
  const again = await openCache(cacheFile, mortal({ onBegunAnew }))
  expect(told.map(({ aside }) => aside)).toEqual([told[0]?.aside, told[0]?.aside])
  await told[1]?.read()
  await again.close()
  await (await openCache(cacheFile, mortal({ onBegunAnew }))).close()
  expect(told).toHaveLength(2)
})
