import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { StartProblem } from '../../computer/start-problem.ts'
import { openCache } from '../cache/cache.ts'
import { openStore } from '../transfers/store/store.ts'
import { Databases } from './databases.ts'

async function files() {
  const folder = await mkdtemp(join(tmpdir(), 'databases-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return { cacheFile: join(folder, 'cache.db'), transfersFile: join(folder, 'transfers.db') }
}

it.each(['cache', 'transfers'] as const)(
  'a damaged file of the %s leaves the other one usable',
  async (which) => {
    const { cacheFile, transfersFile } = await files()
    const databases = new Databases()
    const damaged = 'no database at all'.repeat(1000)
    await writeFile(which === 'cache' ? cacheFile : transfersFile, damaged)
    const [cache, store] = await Promise.allSettled([
      openCache(cacheFile, databases),
      openStore(transfersFile, databases),
    ])
    const [bad, good] = which === 'cache' ? [cache, store] : [store, cache]
    expect(bad).toMatchObject({ reason: expect.any(StartProblem) })
    if (good.status === 'rejected') throw good.reason
    await good.value.writeSetting('limit', '1')
    expect(await good.value.readSetting('limit')).toBe('1')
    await good.value.close()
    expect(await readFile(which === 'cache' ? cacheFile : transfersFile, 'utf8')).toBe(damaged)
  },
)

it('a damaged file can be made good and opened again, although nothing else was open', async () => {
  const { cacheFile } = await files()
  const databases = new Databases()
  await writeFile(cacheFile, 'no database at all'.repeat(1000))
  await expect(openCache(cacheFile, databases)).rejects.toThrow(StartProblem)
  await rm(cacheFile)
  const cache = await openCache(cacheFile, databases)
  expect(await cache.records()).toEqual([])
  await cache.close()
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

it('a thread that lets go of memory loses nothing, and no more once it is closed', async () => {
  const { cacheFile, transfersFile } = await files()
  const databases = new Databases()
  const cache = await openCache(cacheFile, databases)
  const store = await openStore(transfersFile, databases)
  await cache.writeSetting('local', 'used')
  await Promise.all([cache.rest(), store.rest()])
  expect(await cache.readSetting('local')).toBe('used')
  const closing = cache.close()
  await expect(cache.rest()).rejects.toThrow()
  await closing
  // What happened to one of them did not end the thread.
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
