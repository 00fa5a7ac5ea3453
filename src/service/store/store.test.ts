import { stat } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../service.fixture.ts'
import { systemClock } from '../base/clock.ts'
import { StartProblem } from '../../host/start-problem.ts'
import { migrations } from './migrations.ts'
import { openStore } from './store.ts'

const options = { clock: systemClock }
const newFile = async () => path.join(await temporaryFolder(), 'service.db')

test('counts its starts and keeps its key', async () => {
  const file = await newFile()
  const first = await openStore(file, options)
  const { key } = first
  expect([first.epoch, key.length]).toEqual([1, 32])
  await first.close()
  const second = await openStore(file, options)
  expect(second.epoch).toBe(2)
  expect(second.key.equals(key)).toBe(true)
  await second.close()
})

test('is readable for this user alone, with what SQLite writes beside it', async () => {
  const file = await newFile()
  const store = await openStore(file, options)
  for (const name of [file, `${file}-wal`, `${file}-shm`]) expect((await stat(name)).mode & 0o777).toBe(0o600)
  await store.close()
})

test('refuses a database of a newer version politely and leaves it as it is', async () => {
  const file = await newFile()
  await (await openStore(file, options)).close()
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA user_version = ${migrations.length + 1}`)
  db.close()
  await expect(openStore(file, options)).rejects.toThrow(/newer version of Wheelhouse/)
  const after = new DatabaseSync(file)
  expect(after.prepare(`SELECT value FROM meta WHERE key = 'epoch'`).get()).toEqual({ value: '1' })
  after.close()
})

test('refuses a file that is no database with a sentence', async () => {
  const { writeFile } = await import('node:fs/promises')
  const file = await newFile()
  await writeFile(file, 'this is no database, whatever its name says '.repeat(40))
  await expect(openStore(file, options)).rejects.toThrow(StartProblem)
})

test('a step that fails is taken back whole', async () => {
  const file = await newFile()
  const db = new DatabaseSync(file)
  // The first step will find this table in its way, after it has made others.
  db.exec('CREATE TABLE servers (id TEXT)')
  db.close()
  await expect(openStore(file, options)).rejects.toThrow(/contradicts itself/)
  const after = new DatabaseSync(file)
  expect(after.prepare(`SELECT name FROM sqlite_master WHERE name = 'accounts'`).get()).toBeUndefined()
  expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: 0 })
  after.close()
})
