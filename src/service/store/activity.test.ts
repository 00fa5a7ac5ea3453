import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { activityTable, type EntryPosition, type NewEntry } from './activity.ts'
import { migrations } from './migrations.ts'
import { accountsTable } from './accounts.ts'
import { serversTable } from './servers.ts'

const NEWEST: EntryPosition = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER }

function opened(most?: number) {
  const db = new DatabaseSync(':memory:')
  onTestFinished(() => db.close())
  db.exec('PRAGMA foreign_keys = ON')
  for (const step of migrations) db.exec(step)
  const account = { id: 'ann', email: null, name: 'Ann', passwordHash: null, confirmedAt: 1, createdAt: 1 }
  accountsTable(db).insert(account)
  const insert = db.prepare(
    `INSERT INTO servers (id, owner_id, name, software_id, software_version, memory_mb, port, created_at)
     VALUES (?, 'ann', 'Mine', 'demo', '1', 512, ?, 1)`,
  )
  let port = 1000
  const addServer = (id: string) => void insert.run(id, port++)
  addServer('s')
  const table = activityTable(db, most)
  let at = 0
  const add = (actor: string, more: Partial<NewEntry> = {}, server = 's') =>
    table.add(server, { ...plain, at, seen: at++, actor, ...more }, actor.toUpperCase())
  const count = () => Number(db.prepare('SELECT count(*) AS n FROM activity').get()?.['n'])
  return { db, table, add, addServer, count, remove: (id: string) => serversTable(db).remove(id) }
}

const plain: Omit<NewEntry, 'at' | 'seen' | 'actor'> = {
  ...{ area: 'files', action: 'files.folder', kind: 'file', targets: ['a'], count: 1, times: 1 },
  ...{ result: 'done', reason: null, rule: null, address: '127.0.0.1' },
}

test('of too many entries the oldest of who has the most go, and nothing of anybody else', () => {
  const { table, add, count } = opened(3000)
  for (let n = 0; n < 20; n++) add('ben')
  for (let n = 0; n < 10_000; n++) add('eve')
  expect(count()).toBeLessThanOrEqual(3000)
  expect(table.page('s', { actor: 'ben' }, NEWEST, 100)).toHaveLength(20)
  expect(table.page('s', {}, NEWEST, 1)).toMatchObject([{ actor: 'eve', at: 10_019 }])
  expect(table.people('s', '', 10)).toEqual([
    { actor: 'ben', name: 'BEN' },
    { actor: 'eve', name: 'EVE' },
  ])
})

test('what is too old goes in bounded steps, and who has nothing left is no longer named', () => {
  const { table, add, count } = opened()
  for (let n = 0; n < 1200; n++) add('ben')
  for (let n = 0; n < 30; n++) add('eve')
  const left = []
  for (let more = true; more; left.push(count())) more = table.sweepStep(1210)
  expect(left).toEqual([730, 230, 20])
  expect(table.people('s', '', 10)).toEqual([{ actor: 'eve', name: 'EVE' }])
})

test('what a deleted server leaves goes in bounded steps, and what is told of it later is passed over', () => {
  const { table, add, addServer, remove, count } = opened()
  addServer('other')
  for (let n = 0; n < 700; n++) add('ben', {}, 'other')
  add('ben')
  remove('other')
  expect(add('ben', {}, 'other')).toBeNull()
  const left = []
  for (let more = true; more; left.push(count())) more = table.sweepStep(0)
  expect(left).toEqual([201, 1, 1])
})

test('an entry as it was read says where the next page begins', () => {
  const { table, add } = opened()
  for (let n = 0; n < 5; n++) add('ben')
  const [, , third] = table.page('s', {}, NEWEST, 3)
  expect(table.page('s', { area: 'files' }, third!, 9).map(({ at }) => at)).toEqual([1, 0])
})

test('each way to ask for a page goes by an index, however the log is filtered', () => {
  const { db } = opened()
  const plans: string[] = []
  for (const where of ['', 'AND actor = 1', 'AND area = 1', 'AND actor = 1 AND area = 1'])
    for (const { detail } of db
      .prepare(
        `EXPLAIN QUERY PLAN SELECT id FROM activity WHERE server = 1 ${where}
         AND at >= 1 AND (at, id) < (2, 2) ORDER BY at DESC, id DESC LIMIT 9`,
      )
      .all())
      plans.push(String(detail))
  expect(plans.filter((plan) => plan.startsWith('SEARCH'))).toHaveLength(4)
  expect(plans.filter((plan) => plan.includes('TEMP B-TREE'))).toEqual([])
})
