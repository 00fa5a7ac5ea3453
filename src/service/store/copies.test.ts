import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs' // prettier-ignore
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { Copies } from '../../host/database-copies.ts'
import { heldClock, temporaryFolder } from '../service.fixture.ts'
import { migrations } from './migrations.ts'
import { schema } from './opening.ts'
import { serviceCopies } from './service-copies.ts'
import { openStore } from './store.ts'
import { addServer, copiesIn, used } from './used-folder.fixture.ts'

const DAY = 24 * 60 * 60 * 1000

const damages: [string, (file: string) => void][] = [
  ['garbage', (file) => writeFileSync(file, 'no database at all '.repeat(500))],
  ['a page of garbage', (file) => writeFileSync(file, readFileSync(file).fill(0xa5, 8192, 12288))],
  ['cut off', (file) => truncateSync(file, 5000)],
  ['empty', (file) => truncateSync(file, 0)],
  ['gone', (file) => rmSync(file)],
  ['a folder', (file) => (rmSync(file), mkdirSync(file))],
  ['a FIFO', (file) => (rmSync(file), execFileSync('mkfifo', [file]))],
  ['a link to itself', (file) => (rmSync(file), symlinkSync(file, file))],
]

describe('a database that cannot be read', () => {
  test.each(damages)(
    'and is %s is never begun anew: the copy is named, and put back when asked',
    async (_what, damage) => {
      const { dataDir, file, open, clock } = await used()
      damage(file)
      const failed = open()
      await expect(failed).rejects.toMatchObject({ name: 'StartProblem', code: 'data-restorable' })
      await expect(failed).rejects.toThrow(
        /service\.db is .*The files of 1 server in .*servers were not touched.*2026-01-01 00:00 UTC.*--restore-backup/s,
      )
      const there = existsSync(file)
      const restored = await open({ restore: true })
      expect(restored.servers.byId('one')).toMatchObject({ name: 'one' })
      expect(restored.restored?.at).toBe(clock.now())
      if (there) expect(readdirSync(restored.restored?.aside ?? '')).toEqual(['service.db'])
      expect(restored.accounts.tokenOwner('token', 1)).toBeNull()
      expect(restored.epoch).toBeGreaterThan(100_000)
      await restored.close()
      expect(readFileSync(path.join(dataDir, 'servers', 'one', 'level.dat'), 'utf8')).toBe('years')
      const again = await open()
      expect([again.restored, again.servers.all().length]).toEqual([null, 1])
      await again.close()
    },
  )

  test('has a way on that names what is there, where there is no copy of it', async () => {
    const { dataDir, file, open } = await used()
    rmSync(path.join(dataDir, 'copies'), { recursive: true })
    truncateSync(file, 0)
    for (const restore of [false, true])
      await expect(open({ restore })).rejects.toThrow(
        /is empty.*The files of 1 server in .*no copy of it yet/s,
      )
    expect(statSync(file).size).toBe(0)
  })

  test('is restored from the newest copy that is whole', async () => {
    const { dataDir, file, clock, open, copies } = await used()
    clock.forward(2 * DAY)
    const store = await open()
    addServer(store, 'two', 2)
    await store.close()
    const [, newest = ''] = copies()
    writeFileSync(path.join(dataDir, 'copies', newest), 'garbage')
    writeFileSync(file, 'garbage')
    const restored = await open({ restore: true })
    expect(restored.servers.all().map(({ id }) => id)).toEqual(['one'])
    await restored.close()
  })

  test('stays where it is while the copy cannot be written beside it', async () => {
    const { dataDir, file, clock, copies } = await used()
    writeFileSync(file, 'garbage')
    const [name = ''] = copies()
    const copy = { file: path.join(dataDir, 'copies', name), at: clock.now() }
    truncateSync(copy.file, 5000)
    expect(() => serviceCopies(dataDir, clock).prepare(copy, schema(file), () => undefined)).toThrow()
    expect(readFileSync(file, 'utf8')).toBe('garbage')
  })

  test('of a newer version is not restored over', async () => {
    const { file, open } = await used()
    const newer = new DatabaseSync(file)
    newer.exec('PRAGMA user_version = 99')
    newer.close()
    const before = readFileSync(file)
    await expect(open({ restore: true })).rejects.toMatchObject({ code: 'data-from-the-future' })
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('of a newer version leads back to the copy that was made before it was changed, once it is moved away', async () => {
    const { file, open } = await used()
    const newer = new DatabaseSync(file)
    newer.exec('PRAGMA user_version = 99')
    newer.close()
    await expect(open()).rejects.toThrow('there is a copy from')
    renameSync(file, `${file}.newer`)
    const store = await open({ restore: true })
    expect(store.restored).not.toBeNull()
    await store.close()
  })

  test('of a newer version without a copy that fits says only what it is', async () => {
    const { dataDir, file, open } = await used()
    rmSync(path.join(dataDir, 'copies'), { recursive: true })
    const newer = new DatabaseSync(file)
    newer.exec('PRAGMA user_version = 99')
    newer.close()
    const error: unknown = await open().catch((thrown: unknown) => thrown)
    expect((error as Error).message).not.toContain('copy')
    expect((error as Error).message).toContain('Install the newer version again')
  })
})

describe('copies', () => {
  test('the newest of the schema before is kept, whatever is copied later on the same day', async () => {
    const dataDir = await temporaryFolder()
    let now = Date.UTC(2026, 0, 1)
    const copies = new Copies({
      ...{ dataDir, name: 'service', days: 2, now: () => (now += 60_000) },
      holds: 'SELECT 1 FROM one',
    })
    using db = new DatabaseSync(path.join(dataDir, 'service.db'))
    db.exec('CREATE TABLE one (a); INSERT INTO one VALUES (1)')
    const schemas = () =>
      copies.list().map(({ file }) => {
        using copy = new DatabaseSync(file, { readOnly: true })
        return copy.prepare('PRAGMA user_version').get()?.['user_version']
      })
    for (const schema of [3, 3, 4, 4, 5, 5]) {
      db.exec(`PRAGMA user_version = ${schema}`)
      await copies.make(db)
    }
    expect(schemas()).toEqual([5, 4])
    // Days go by: of each of the last two one copy, and the way back stays.
    for (let day = 0; day < 4; day++) {
      now += DAY
      await copies.make(db)
    }
    expect(schemas()).toEqual([5, 5, 4])
  })

  test('are made at the end, daily, and of seven days the newest is kept', async () => {
    const { dataDir, clock, open, copies } = await used()
    expect(copies()).toHaveLength(1)
    for (let day = 0; day < 12; day++) {
      clock.forward(DAY / 2)
      const store = await open()
      addServer(store, `s${day}`, 10 + day)
      await store.close()
    }
    const names = copies()
    expect(new Set(names.map((name) => name.slice(0, 'service 2026-01-01'.length))).size).toBe(names.length)
    expect(names).toHaveLength(7)
    const newest = new DatabaseSync(path.join(dataDir, 'copies', names.at(-1) ?? ''))
    expect(newest.prepare('SELECT count(*) AS n FROM servers').get()).toEqual({ n: 13 })
    newest.close()
    for (const name of names) expect(statSync(path.join(dataDir, 'copies', name)).mode & 0o777).toBe(0o600)
  })

  test('made while the clock was ahead come before those that were made since, and no copy more is due for them', async () => {
    const { file, clock, open, copies } = await used()
    clock.set(40 * DAY)
    const ahead = await open()
    addServer(ahead, 'two', 2)
    await ahead.close()
    clock.set(-40 * DAY)
    clock.forward(DAY)
    const store = await open()
    addServer(store, 'three', 3)
    await store.close()
    expect(copies().at(-1)).toMatch(/^service 2026-01-02T/)
    expect(serviceCopies(path.dirname(file), clock).due).toBe(false)
    writeFileSync(file, 'garbage')
    const restored = await open({ restore: true })
    expect(restored.servers.all().map(({ id }) => id)).toEqual(['one', 'two', 'three'])
    await restored.close()
  })

  test('are not made of what was damaged while it ran, and the ones before stay', async () => {
    const { dataDir, file, open, copies, clock } = await used()
    const before = copies()
    const failed: unknown[] = []
    const store = await open({ onCopyFailed: (error) => failed.push(error) })
    addServer(store, 'two', 2)
    const other = new DatabaseSync(file)
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    other.close()
    clock.forward(1000)
    writeFileSync(file, readFileSync(file).fill(0xa5, 4096))
    await store.close().catch(() => undefined)
    expect(failed).toHaveLength(1)
    expect(copies()).toEqual(before)
    expect(copiesIn(dataDir)).toEqual(before)
  })

  test('are made before a step of the schema, and hold what was there before it', async () => {
    const { dataDir, clock, open, copies } = await used()
    clock.forward(1000)
    const store = await open({ steps: [...migrations, 'DELETE FROM servers'] })
    const [copy = ''] = copies()
    const before = new DatabaseSync(path.join(dataDir, 'copies', copy))
    expect(before.prepare('SELECT id FROM servers').all()).toEqual([{ id: 'one' }])
    before.close()
    await store.close()
  })

  test('come before a step that fails, which changes nothing', async () => {
    const { clock, open, copies } = await used()
    clock.forward(DAY)
    await expect(open({ steps: [...migrations, 'DROP TABLE servers; DROP TABLE none'] })).rejects.toThrow(
      /no such table: none/,
    )
    expect(copies()).toHaveLength(2)
    const store = await open()
    expect(store.servers.all()).toHaveLength(1)
    await store.close()
  })

  test('a folder that cannot be used for them is told, and hinders nothing', async () => {
    const { dataDir, open, clock } = await used()
    rmSync(path.join(dataDir, 'copies'), { recursive: true })
    writeFileSync(path.join(dataDir, 'copies'), 'a file')
    clock.forward(DAY)
    const failed: unknown[] = []
    const store = await open({ onCopyFailed: (error) => failed.push(error) })
    expect(store.servers.all()).toHaveLength(1)
    await store.close()
    expect(failed.length).toBeGreaterThan(0)
  })

  test('a database that is deleted under the service is written again at the end', async () => {
    const { file, open } = await used()
    const store = await open()
    addServer(store, 'two', 2)
    for (const beside of ['', '-wal', '-shm']) rmSync(file + beside)
    await store.close()
    const again = await open()
    expect(again.servers.all()).toHaveLength(2)
    await again.close()
  })
})

test('a first start that was cut off, and left an empty file, is no damage', async () => {
  const file = path.join(await temporaryFolder(), 'service.db')
  writeFileSync(file, '')
  const store = await openStore(file, { clock: heldClock() })
  expect(store.epoch).toBe(1)
  await store.close()
})
