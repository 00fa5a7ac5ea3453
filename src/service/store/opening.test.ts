import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { heldClock } from '../service.fixture.ts'
import { smallDisk } from '../small-disk.fixture.ts'
import { migrations } from './migrations.ts'
import { openStore } from './store.ts'
import { addServer, used } from './used-folder.fixture.ts'

const DAY = 24 * 60 * 60 * 1000
/** A schema of later: what a step of a test does comes after ours. */
const later = (...steps: string[]) => [...migrations, ...steps]

/** Changes a database behind SQLite's back: while `index` is not known, `change` is not noted in it. */
function pastTheIndex(file: string, index: string, change: string): void {
  const db = new DatabaseSync(file, { defensive: false })
  const row = db.prepare('SELECT * FROM sqlite_schema WHERE name = ?').get(index) as Record<string, string>
  db.exec('PRAGMA journal_mode = DELETE; PRAGMA writable_schema = ON')
  db.prepare('DELETE FROM sqlite_schema WHERE name = ?').run(index)
  db.close()
  const without = new DatabaseSync(file)
  without.exec(change)
  without.close()
  const again = new DatabaseSync(file, { defensive: false })
  again.exec('PRAGMA writable_schema = ON')
  again
    .prepare('INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)')
    .run(...['type', 'name', 'tbl_name', 'rootpage', 'sql'].map((column) => row[column] ?? null))
  again.close()
}

const rename = "UPDATE servers SET owner_id = 'a' || id; DELETE FROM servers WHERE id = 'none'"
const unowned = `PRAGMA foreign_keys = OFF; ${rename}`
const unique = 'CREATE UNIQUE INDEX one_name ON servers(name)'

describe('damage that only a step of the schema meets, or the copy before it', () => {
  test('is told as damage where an index alone is wrong', async () => {
    const { file, open } = await used()
    pastTheIndex(file, 'servers_by_owner', unowned)
    await expect(open()).rejects.toMatchObject({
      code: 'data-restorable',
      message: expect.stringMatching(/service\.db is damaged.*The newest copy is from 2026-01-01 00:00 UTC/),
    })
    const store = await open({ restore: true })
    expect(store.servers.all().map(({ ownerId }) => ownerId)).toEqual(['a'])
    await store.close()
  })

  test('is left behind by the newest copy that can be opened and brought up to date', async () => {
    const { dataDir, file, clock, open, copies } = await used()
    const steps = later(unique)
    await (await open({ steps })).close()
    clock.forward(2 * DAY)
    const store = await open({ steps })
    addServer(store, 'two', 2)
    await store.close()
    const whole = copies().length
    pastTheIndex(file, 'one_name', "UPDATE servers SET name = 'same'")
    const next = [...steps, 'SELECT 1']
    await expect(open({ steps: next })).rejects.toMatchObject({ code: 'data-restorable' })
    expect(copies()).toHaveLength(whole)
    const restored = await open({ steps: next, restore: true })
    expect(restored.servers.all().map(({ name }) => name)).toEqual(['one', 'two'])
    expect(readdirSync(restored.restored?.aside ?? '')).toContain('service.db')
    await restored.close()
    expect(readdirSync(dataDir)).not.toContain('service.db.new')
  })

  test('passes over copies that cannot be brought up to date, and names the one that can', async () => {
    const { file, clock, open } = await used()
    clock.forward(2 * DAY)
    const store = await open()
    addServer(store, 'two', 2)
    await store.close()
    const db = new DatabaseSync(file)
    db.exec("UPDATE servers SET name = 'one'")
    db.close()
    clock.forward(2 * DAY)
    // The copy made before the step holds two servers of one name, as the one at the end of it did.
    await (await open()).close()
    const steps = later(unique)
    const failed = open({ steps })
    await expect(failed).rejects.toMatchObject({ code: 'data-restorable' })
    await expect(failed).rejects.toThrow(
      /contradicts itself \(UNIQUE constraint failed.*from 2026-01-03 00:00/,
    )
    const restored = await open({ steps, restore: true })
    expect(restored.servers.all().map(({ id }) => id)).toEqual(['one', 'two'])
    await restored.close()
  })

  test('and no copy can be used either is said, with what is left', async () => {
    const { clock, open } = await used()
    clock.forward(DAY)
    for (const restore of [false, true])
      await expect(open({ steps: later('DROP TABLE none'), restore })).rejects.toMatchObject({
        code: 'data-not-readable',
        message: expect.stringMatching(/no such table: none.*None of the \d+ copies .*can be used.*backup/s),
      })
    const store = await open()
    expect(store.servers.all()).toHaveLength(1)
    await store.close()
  })

  test('a table that is missing can be had back from a copy', async () => {
    const { file, open } = await used()
    const db = new DatabaseSync(file)
    db.exec('DROP TABLE tokens')
    db.close()
    await expect(open()).rejects.toMatchObject({ code: 'data-restorable' })
    const restored = await open({ restore: true })
    expect(restored.servers.all()).toHaveLength(1)
    await restored.close()
  })
})

describe('a disk that is full while the database is opened', () => {
  /** A store on a disk of its own that is full from now on; null where there can be none. */
  async function onFullDisk() {
    const disk = await smallDisk(2)
    if (!disk) return null
    const clock = heldClock()
    const file = path.join(disk.folder, 'service.db')
    const open = (steps: readonly string[], restore = false) => openStore(file, { clock, steps, restore })
    const store = await open(migrations)
    store.accounts.insert({
      id: 'a',
      email: null,
      name: 'A',
      passwordHash: null,
      confirmedAt: 1,
      createdAt: 1,
    })
    await store.close()
    clock.forward(DAY)
    return { disk, file, open }
  }

  test.each([false, true])(
    'is told as one, not as damage, and loses nothing (restore: %s)',
    async (restore) => {
      const it = await onFullDisk()
      if (!it) return
      it.disk.fill()
      await expect(it.open(later('CREATE TABLE t (x)'), restore)).rejects.toMatchObject({
        code: 'data-not-readable',
        message: expect.stringMatching(
          /service\.db .*disk.* full.*Nothing in it was changed\. Free up space/s,
        ),
      })
      await expect(it.open(later('CREATE TABLE t (x)'), restore)).rejects.not.toThrow(/backup/i)
      it.disk.clear()
      await (await it.open(later('CREATE TABLE t (x)'))).close()
    },
  )

  test('does not make a copy count as one that cannot be used', async () => {
    const it = await onFullDisk()
    if (!it) return
    writeFileSync(it.file, 'garbage')
    it.disk.fill()
    for (const restore of [false, true])
      await expect(it.open(migrations, restore)).rejects.toMatchObject({
        code: 'data-not-readable',
        message: expect.stringMatching(/is damaged.*disk.* full.*Free up space/s),
      })
    it.disk.clear()
    await expect(it.open(migrations)).rejects.toMatchObject({ code: 'data-restorable' })
  })
})

test('a copy that cannot be made before a step for another reason is told with it, and nothing is changed', async () => {
  const { dataDir, clock, open } = await used()
  rmSync(path.join(dataDir, 'copies'), { recursive: true })
  writeFileSync(path.join(dataDir, 'copies'), 'a file')
  clock.forward(DAY)
  await expect(open({ steps: later('DELETE FROM servers') })).rejects.toMatchObject({
    code: 'data-not-readable',
    message: expect.stringMatching(/copied.*(a file with that name).*Nothing in it was changed/s),
  })
  rmSync(path.join(dataDir, 'copies'))
  mkdirSync(path.join(dataDir, 'copies'))
  const store = await open()
  expect(store.servers.all()).toHaveLength(1)
  await store.close()
})

describe('a database that lacks a table or a column', () => {
  test.each(['activity', 'notifications', 'promocodes'])(
    'such as %s is never begun anew: what is wrong is said, and the copy is put back when asked',
    async (table) => {
      const { file, open } = await used()
      const db = new DatabaseSync(file)
      const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
      expect(tables.map(({ name }) => name)).toContain(table)
      db.exec(`PRAGMA foreign_keys = OFF; DROP TABLE ${table}`)
      db.close()
      const refused = open()
      await expect(refused).rejects.toMatchObject({ name: 'StartProblem', code: 'data-restorable' })
      await expect(refused).rejects.toThrow(
        /service\.db contradicts itself \(it lacks the .*--restore-backup/s,
      )
      const restored = await open({ restore: true })
      expect(restored.servers.all().map(({ name }) => name)).toEqual(['one'])
      await restored.close()
    },
  )
})
