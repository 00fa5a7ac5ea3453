import type { DatabaseSync } from 'node:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openFile } from './tables/open-tables.ts'
import { viewTable } from './tables/view-table.ts'

test('of a connection only so many views are kept on the disk, the newest, and those of others are left alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-views-'))
  const db = openFile(join(folder, 'cache.db'))
  onTestFinished(() => {
    db.close()
    rmSync(folder, { recursive: true })
  })
  const tables = viewTable(db, { folders: 1, folderBytes: 1, views: 50, checkedAfter: 10 })
  const write = (connectionId: string, at: number) => {
    const asOf = new Date(at * 1000).toISOString()
    tables.writeView(`${connectionId} ${at}`, connectionId, `s${at}`, { value: '{}', asOf })
  }
  for (let at = 0; at < 20; at++) write('other', at)
  for (let at = 0; at < 1500; at++) write('c', at)
  const count = (of: DatabaseSync, id: string) =>
    (of.prepare('SELECT count(*) AS n FROM views WHERE connection_id = ?').get(id) as { n: number }).n
  expect(count(db, 'c')).toBeLessThanOrEqual(50 + 10)
  expect(count(db, 'other')).toBe(20)
  expect(tables.readView('c 1499')).not.toBeNull()
})
