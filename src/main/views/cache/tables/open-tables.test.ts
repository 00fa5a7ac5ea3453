import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { StartProblem } from '../../../../host/start-problem.ts'
import { type ViewAddress, viewKey } from '../../../../contract/rules/view-key.ts'
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

/** Views by the keys of former panels, and what they are called since. The others are read again. */
const server = { connectionId: 'c', params: { serverId: 's "ü' } }
const former: [key: string, server: string | null, now?: ViewAddress][] = [
  ['servers\nc\n', null, { view: 'servers.list', connectionId: 'c' }],
  ['account\nc\n', null, { view: 'account.me', connectionId: 'c' }],
  ['server\nc\ns "ü', 's "ü', { view: 'servers.read', ...server }],
  ['status\nc\ns "ü', 's "ü', { view: 'servers.status', ...server }],
  ['limits\nc\ns "ü', 's "ü', { view: 'files.limits', ...server }],
  ['trash\nc\ns "ü', 's "ü', { view: 'files.trash', ...server }],
  ['config\nc\ns "ü', 's "ü'],
  ['software\nc\n', null],
  ['folder\nc\ns "ü\nlogs', 's "ü'],
]

it.each(migrations.slice(0, 4).map((_step, at) => at))(
  'keeps what a panel with %i steps of the schema wrote',
  async (steps) => {
    const old = left(steps)
    if (steps > 0) {
      for (const [key, server] of former)
        old
          .prepare(
            `INSERT INTO views (key, connection_id, server_id, as_of, value) VALUES (?, 'c', ?, 'then', '{}')`,
          )
          .run(key, server)
      old.exec(`INSERT INTO connections VALUES ('c', '{"id":"c"}')`)
      old.exec(`INSERT INTO commands (connection_id, server_id, command) VALUES ('c', 's', 'list')`)
    }
    if (steps > 2) old.exec(`INSERT INTO drafts VALUES ('c', 's', 'a.txt', 'unsaved', NULL, 1, 7)`)
    old.close()
    const tables = openTables(file)
    if (steps > 0) {
      for (const [key, , now] of former) {
        if (now) expect(tables.readView(viewKey(now))).toMatchObject({ value: '{}', asOf: 'then' })
        expect(tables.readView(key)).toBeNull()
      }
      expect(tables.records()).toEqual(['{"id":"c"}'])
      expect(tables.commands('c', 's')).toEqual(['list'])
    }
    if (steps > 2) expect(tables.draft('c', 's', 'a.txt')).toMatchObject({ text: 'unsaved' })
    tables.setFavorites('c', 's', ['logs'])
    expect(tables.favorites('c', 's')).toEqual(['logs'])
    tables.close()
  },
)

it('leaves a file alone that a newer panel wrote', async () => {
  const newer = left(migrations.length)
  newer.exec(`PRAGMA user_version = ${migrations.length + 1}`)
  newer.close()
  expect(() => openTables(file)).toThrow(StartProblem)
})

it('keeps the lines of consoles that a panel with another table for them wrote', async () => {
  const old = left(migrations.length - 1)
  const put = old.prepare(`INSERT INTO lines VALUES ('c', 's', 5, ?, ?, '5', ?)`)
  put.run(1, 2, JSON.stringify({ times: [0, 0], texts: ['one', 'two'], sources: {} }))
  put.run(3, 3, JSON.stringify({ times: [0], texts: ['three'], sources: { 0: 'command' } }))
  old.close()
  const tables = openTables(file)
  const batches = tables.linesBefore('c', 's', null, 10)
  expect(batches.flatMap(({ texts }) => texts)).toEqual(['one', 'two', 'three'])
  tables.appendLines('c', 's', { epoch: '5', firstSeq: 4, times: [0], texts: ['four'], sources: {} })
  expect(tables.linesBefore('c', 's', null, 2).flatMap(({ texts }) => texts)).toEqual(['three', 'four'])
  tables.close()
})
