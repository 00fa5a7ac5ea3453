import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { migrate, openDatabase } from './app-database.ts'
import { temporary } from './temporary.fixture.ts'

const migrations = [
  'CREATE TABLE things (name TEXT NOT NULL, size INTEGER, PRIMARY KEY (name)) STRICT; -- the first',
  'CREATE TABLE places (id INTEGER PRIMARY KEY); ALTER TABLE things ADD COLUMN color TEXT',
  'CREATE UNIQUE INDEX by_size ON things (size, color)',
]

/** A database that was changed by somebody else. */
function opened(change: string): () => void {
  const it = { file: join(temporary(), 'things.db'), name: 'The list', migrations, busyMs: 0 }
  openDatabase(it).close()
  const other = new DatabaseSync(it.file)
  other.exec(change)
  other.close()
  return () => {
    const db = openDatabase(it)
    migrate(db, it)
    db.close()
  }
}

test.each([
  ['a table', 'DROP TABLE places', /column places\.id/],
  ['a column', 'DROP INDEX by_size; ALTER TABLE things DROP COLUMN size', /column things\.size INTEGER/],
  ['a column of its kind', 'ALTER TABLE places RENAME COLUMN id TO number', /column places\.id/],
  ['what makes rows unique', 'DROP INDEX by_size', /unique index of things \(size,color\)/],
  ['a table that it calls otherwise', 'ALTER TABLE things RENAME TO stuff', /things/],
  [
    'a table in whose place a view stands',
    'DROP TABLE places; CREATE VIEW places AS SELECT 1 AS id',
    /places/,
  ],
  [
    'a table that a step wants to change',
    'DROP TABLE things; DROP TABLE places; PRAGMA user_version = 1',
    /no such table/,
  ],
  ['a table, though it says that it is new', 'DROP TABLE places; PRAGMA user_version = 0', /already exists/],
])('a database that lacks %s cannot be used as it is', (_what, change, why) => {
  expect(opened(change)).toThrow(expect.objectContaining({ name: 'UnusableDatabase', fault: 'inconsistent' }))
  expect(opened(change)).toThrow(why)
})

test.each([
  ['nothing', 'SELECT 1'],
  ['an index that nothing rests on', 'CREATE INDEX more ON things (color)'],
  ['a table of somebody else', 'CREATE TABLE notes (text TEXT)'],
  ['a column that may be left out', 'ALTER TABLE things ADD COLUMN note TEXT'],
])('a database to which somebody added %s is used', (_what, change) => {
  expect(opened(change)).not.toThrow()
})
