import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { RailArrangement } from '../../../contract/rules/rail/rail.ts'
import { openTables } from '../../views/cache/tables/open-tables.ts'
import { panelAt } from '../../panel/panel.fixture.ts'
import { answerJson, type OddAnswer } from '../../../../tests/doubles/services/odd-service.ts'

const arranged: RailArrangement = {
  loose: ['b', 'gone'],
  folders: [
    { id: 'f', name: 'Survival', collapsed: true, servers: ['a'] },
    { id: 'empty', name: 'Later', collapsed: false, servers: [] },
  ],
  marks: [
    { serverId: 'a', color: 'teal', icon: '🏰' },
    { serverId: 'unplaced', color: null, icon: 'UN' },
  ],
}
const list: Record<string, OddAnswer> = {
  'GET /servers': (_request, response) => answerJson(response, { items: [], nextCursor: null }),
}

it('an arrangement is kept, told to all windows, and forgotten when its connection signs out', async () => {
  const { call, connectionId, until, folder } = await panelAt(list)
  expect(await call('rail.read', undefined)).toEqual([])
  const kept = await call('rail.arrange', { connectionId, base: null, arrangement: arranged })
  expect(kept).toMatchObject({ connectionId, ...arranged })
  expect(await until('rail', ({ revision }) => revision === kept.revision)).toEqual(kept)
  expect(await call('rail.read', undefined)).toEqual([kept])

  await call('connections.sign-out', { connectionId })
  expect(await call('rail.read', undefined)).toEqual([])
  await expect(
    call('rail.arrange', { connectionId, base: null, arrangement: arranged }),
  ).rejects.toMatchObject({ problem: { code: 'not-found' } })
  const db = new DatabaseSync(join(folder, 'cache.db'))
  onTestFinished(() => db.close())
  for (const table of ['rail_folders', 'rail_servers'])
    expect(db.prepare(`SELECT * FROM ${table}`).all(), table).toEqual([])
})

it('a window that is behind changes nothing; one that took everything out begins from nothing', async () => {
  const { call, connectionId } = await panelAt(list)
  const none = { loose: [], folders: [], marks: [] }
  const kept = await call('rail.arrange', { connectionId, base: null, arrangement: arranged })
  for (const base of [null, 'another'])
    await expect(call('rail.arrange', { connectionId, base, arrangement: none })).rejects.toMatchObject({
      problem: { code: 'changed' },
    })
  expect(await call('rail.read', undefined)).toEqual([kept])

  const empty = await call('rail.arrange', { connectionId, base: kept.revision, arrangement: none })
  expect(await call('rail.read', undefined)).toEqual([])
  const again = await call('rail.arrange', { connectionId, base: empty.revision, arrangement: arranged })
  expect(again).toEqual(kept)
})

it.each<[string, Partial<RailArrangement>]>([
  [
    'a server in two places',
    { loose: ['a'], folders: [{ id: 'f', name: 'F', collapsed: false, servers: ['a'] }] },
  ],
  ['a folder without a name', { folders: [{ id: 'f', name: '  ', collapsed: false, servers: [] }] }],
  ['a name of two lines', { folders: [{ id: 'f', name: 'a\nb', collapsed: false, servers: [] }] }],
  ['a color of its own', { marks: [{ serverId: 'a', color: 'url(x)' as never, icon: null }] }],
  ['more than is kept', { loose: Array.from({ length: 5001 }, (_, at) => `s${at}`) }],
])('refuses %s', async (_what, part) => {
  const { call, connectionId } = await panelAt(list)
  const arrangement = { loose: [], folders: [], marks: [], ...part }
  await expect(call('rail.arrange', { connectionId, base: null, arrangement })).rejects.toMatchObject({
    problem: { code: 'invalid' },
  })
  expect(await call('rail.read', undefined)).toEqual([])
})

it('rows that a fault of the disk has changed hide nothing: what cannot be understood counts as not arranged', async () => {
  const { folder } = await panelAt(list)
  const file = join(folder, 'damaged.db')
  const tables = openTables(file)
  onTestFinished(() => tables.close())
  tables.arrangeRail('c', null, arranged)
  const db = new DatabaseSync(file)
  db.exec(`UPDATE rail_folders SET name = '' WHERE folder_id = 'f';
    UPDATE rail_servers SET colour = 'no color', icon = ' ' WHERE server_id = 'unplaced';
    UPDATE rail_servers SET place = -9 WHERE server_id = 'gone';
    INSERT INTO rail_servers VALUES ('c', 'lost', 'no such folder', 3, 'red', NULL)`)
  db.close()
  expect(tables.rail('c')).toMatchObject({
    loose: ['gone', 'b'],
    folders: [{ id: 'empty', servers: [] }],
    marks: [
      { serverId: 'a', color: 'teal', icon: '🏰' },
      { serverId: 'lost', color: 'red', icon: null },
    ],
  })
})

it('of a server that is deleted, place and mark go', async () => {
  const { folder } = await panelAt(list)
  const tables = openTables(join(folder, 'deleted.db'))
  onTestFinished(() => tables.close())
  tables.arrangeRail('c', null, arranged)
  tables.wipeServer('c', 'a')
  expect(tables.rail('c')).toMatchObject({
    folders: [{ servers: [] }, { servers: [] }],
    marks: [{ icon: 'UN' }],
  })
})
