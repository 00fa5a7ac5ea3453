import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { StartProblem } from '../../computer/start-problem.ts'
import { openTables } from './open-tables.ts'
import { migrations } from './migrations.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'database-'))
  file = join(folder, 'cache.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A file as a panel that knew only the first steps left it. */
function left(steps: number): DatabaseSync {
  const db = new DatabaseSync(file)
  for (const step of migrations.slice(0, steps)) db.exec(step)
  db.exec(`PRAGMA user_version = ${steps}`)
  return db
}

it.each(migrations.map((_step, at) => at))(
  'keeps what a panel with %i steps of the schema wrote',
  (steps) => {
    const old = left(steps)
    if (steps > 0) {
      old.exec(
        `INSERT INTO views (key, connection_id, server_id, as_of, value) VALUES ('k', 'c', 's', 'then', '{}')`,
      )
    }
    old.close()
    const tables = openTables(file)
    if (steps > 0) expect(tables.readView('k')).toEqual({ value: '{}', asOf: 'then' })
    tables.setFavourites('c', 's', ['logs'])
    expect(tables.favourites('c', 's')).toEqual(['logs'])
    tables.close()
  },
)

it('leaves a file alone that a newer panel wrote', () => {
  const newer = left(migrations.length)
  newer.exec(`PRAGMA user_version = ${migrations.length + 1}`)
  newer.close()
  expect(() => openTables(file)).toThrow(StartProblem)
})
