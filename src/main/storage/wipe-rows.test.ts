import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { migrations as ofCache } from '../views/cache/tables/migrations.ts'
import { createTables as cacheTables } from '../views/cache/tables/tables.ts'
import { migrations as ofTransfers } from '../transfers/store/migrations.ts'
import { createTables as transfersTables } from '../transfers/store/tables.ts'

/** Tables that somebody adds one day, and tells nobody. */
const LATER = `
  CREATE TABLE later (id INTEGER PRIMARY KEY, connection_id TEXT NOT NULL, server_id TEXT, value TEXT) STRICT;
  CREATE TABLE "later still" (from_connection_id TEXT, from_server_id TEXT, connection_id TEXT, server_id TEXT) STRICT;
`

function databaseOf(migrations: readonly string[]): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  onTestFinished(() => db.close())
  for (const step of [...migrations, LATER]) db.exec(step)
  return db
}

/** Puts a row that names these into every table that names a connection; answers the tables. */
function fill(db: DatabaseSync, connectionId: string, serverId: string): string[] {
  const names = (
    db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all() as { name: string }[]
  )
    .map(({ name }) => name)
    .filter((name) => columnsOf(db, name).some((column) => column.name.endsWith('connection_id')))
  for (const table of names) {
    const columns = columnsOf(db, table).filter(({ pk, type }) => !(pk === 1 && type === 'INTEGER'))
    const values = columns.map(({ name, type }) => {
      if (name.endsWith('connection_id')) return connectionId
      if (name.endsWith('server_id')) return serverId
      return type === 'TEXT' ? `${connectionId} ${serverId}` : 0
    })
    const asked = columns.map(({ name }) => name).join(', ')
    db.prepare(`INSERT INTO "${table}" (${asked}) VALUES (${values.map(() => '?').join(', ')})`).run(
      ...values,
    )
  }
  return names
}

const columnsOf = (db: DatabaseSync, table: string) =>
  db.prepare('SELECT name, type, pk FROM pragma_table_info(?)').all(table) as {
    name: string
    type: string
    pk: number
  }[]

/** Some tables are of a connection as a whole. */
const serverOf = (db: DatabaseSync, table: string) =>
  columnsOf(db, table).some(({ name }) => name === 'server_id') ? 'server_id' : 'NULL'

const rowsLeft = (db: DatabaseSync, tables: string[]): Record<string, unknown[]> =>
  Object.fromEntries(
    tables.map((name) => [
      name,
      db
        .prepare(`SELECT connection_id, ${serverOf(db, name)} FROM "${name}" ORDER BY 1, 2`)
        .all()
        .map((row) => Object.values(row).filter(Boolean).join(' ')),
    ]),
  )

it.each([
  ['the cache', ofCache, cacheTables],
  ['the queue of transfers', ofTransfers, transfersTables],
] as const)(
  'signing out wipes every table of %s that names a connection, also one nobody told of',
  (_name, steps, open) => {
    const db = databaseOf(steps)
    const tables = fill(db, 'mine', 'one')
    fill(db, 'other', 'one')
    expect(tables).toEqual(expect.arrayContaining(['later', 'later still']))
    open(db).wipe('mine')
    const other = (name: string) => [serverOf(db, name) === 'NULL' ? 'other' : 'other one']
    expect(rowsLeft(db, tables)).toEqual(Object.fromEntries(tables.map((name) => [name, other(name)])))
  },
)

it('what goes from one connection to another is wiped with either', () => {
  const db = databaseOf(ofTransfers)
  const put = db.prepare('INSERT INTO "later still" VALUES (?, ?, ?, ?)')
  put.run('mine', 'one', 'other', 'two')
  put.run('other', 'two', 'mine', 'one')
  put.run('other', 'two', 'third', 'three')
  transfersTables(db).wipe('mine')
  expect(rowsLeft(db, ['later still'])).toEqual({ 'later still': ['third three'] })
})

it('of a server that was deleted nothing is kept either, and all of the others', () => {
  const db = databaseOf(ofCache)
  const tables = fill(db, 'mine', 'one')
  fill(db, 'mine', 'two')
  fill(db, 'other', 'one')
  cacheTables(db).wipeServer('mine', 'one')
  const others = (name: string) =>
    serverOf(db, name) === 'NULL' ? ['mine', 'mine', 'other'] : ['mine two', 'other one']
  expect(rowsLeft(db, tables)).toEqual(Object.fromEntries(tables.map((name) => [name, others(name)])))
})
