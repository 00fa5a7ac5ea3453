import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LineBatch } from '../../../../contract/bridge/values.ts'
import { StartProblem } from '../../../../host/start-problem.ts'
import { openFile } from './open-tables.ts'
import { wipeRows } from '../../../storage/wipe-rows.ts'
import { LineArchive } from './line-archive.ts'

let folder: string
let db: ReturnType<typeof openFile>
const file = () => join(folder, 'cache.db')

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'archive-'))
  db = openFile(file())
})
afterEach(() => {
  db.close()
  rmSync(folder, { recursive: true })
})

const batch = (epoch: string, first: number, count: number): LineBatch => ({
  epoch,
  firstSeq: first,
  times: Array.from({ length: count }, (_, at) => at + first),
  texts: Array.from({ length: count }, (_, at) => `${epoch}:${first + at}`),
  sources: {},
})
const texts = (batches: LineBatch[]) => batches.flatMap((b) => b.texts)
const range = (epoch: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `${epoch}:${from + at}`)

describe('the line archive', () => {
  it('gives back the newest lines in order across chunks', () => {
    const archive = new LineArchive(db)
    archive.append('c', 's', batch('1', 1, 2500))
    expect(texts(archive.before('c', 's', null, 1800))).toEqual(range('1', 701, 2500))
  })

  it('passes over lines it already holds', () => {
    const archive = new LineArchive(db)
    archive.append('c', 's', batch('1', 1, 10))
    archive.append('c', 's', batch('1', 5, 10))
    expect(texts(archive.before('c', 's', null, 100))).toEqual(range('1', 1, 14))
  })

  it('stops at a hole, and names what lies beyond it', () => {
    const archive = new LineArchive(db)
    archive.append('c', 's', batch('1', 1, 10))
    archive.append('c', 's', batch('1', 21, 10))
    expect(texts(archive.before('c', 's', null, 100))).toEqual(range('1', 21, 30))
    expect(archive.before('c', 's', { epoch: '1', seq: 21 }, 100)).toEqual([])
    expect(archive.neighbor('c', 's', { before: { epoch: '1', seq: 21 } })).toEqual({ epoch: '1', seq: 10 })
    expect(archive.neighbor('c', 's', { after: { epoch: '1', seq: 10 } })).toEqual({ epoch: '1', seq: 21 })
  })

  it('closes a hole when the missing lines are added later', () => {
    const archive = new LineArchive(db)
    archive.append('c', 's', batch('1', 1, 10))
    archive.append('c', 's', batch('1', 21, 10))
    archive.append('c', 's', batch('1', 8, 16))
    archive.append('c', 's', batch('1', 31, 1))
    expect(texts(archive.before('c', 's', null, 100))).toEqual(range('1', 1, 31))
    expect(texts(archive.after('c', 's', { epoch: '1', seq: 4 }, 20))).toEqual(range('1', 5, 24))
  })

  it('never joins two epochs by itself: between them lines may be missing', () => {
    const archive = new LineArchive(db)
    archive.append('c', 's', batch('9', 1, 5))
    archive.append('c', 's', batch('10', 1, 5))
    expect(texts(archive.before('c', 's', null, 100))).toEqual(range('10', 1, 5))
    expect(archive.neighbor('c', 's', { before: { epoch: '10', seq: 1 } })).toEqual({ epoch: '9', seq: 5 })
    expect(archive.last('c', 's')).toEqual({ epoch: '10', seq: 5 })
  })

  it('keeps epochs that are no numbers in the order they were first seen', () => {
    const archive = new LineArchive(db)
    archive.append('c', 's', batch('zebra', 1, 5))
    archive.append('c', 's', batch('ant', 1, 5))
    expect(archive.last('c', 's')).toEqual({ epoch: 'ant', seq: 5 })
  })

  it('keeps the sources of lines through chunks and slices', () => {
    const archive = new LineArchive(db)
    archive.append('c', 's', { ...batch('1', 1, 1), sources: { 0: 'command' } })
    archive.append('c', 's', { ...batch('1', 2, 3), sources: { 2: 'error' } })
    const [found] = archive.before('c', 's', null, 1)
    expect(found).toMatchObject({ firstSeq: 4, sources: { 0: 'error' } })
  })

  it.each(['{"times":[1,2,3],"texts":["a",', '{"times":[1,2,3],"texts":["a","b","c"],"sourced":{}}'])(
    'keeps the place of lines that a damage of the disk made unreadable, without words of its own: %s',
    (damaged) => {
      const archive = new LineArchive(db)
      archive.append('c', 's', batch('1', 1, 3))
      archive.flush()
      db.prepare('UPDATE lines SET body = ?').run(damaged)
      const left = { epoch: '1', firstSeq: 2, times: [0, 0], texts: ['', ''] }
      const sources = { 0: 'unreadable', 1: 'unreadable' }
      expect(archive.before('c', 's', null, 2)).toEqual([{ ...left, sources }])
    },
  )

  it('drops the oldest chunks beyond its bound', () => {
    const archive = new LineArchive(db, { lines: 5000, bytes: Infinity })
    archive.append('c', 's', batch('1', 1, 40_000))
    archive.flush()
    const rows = db.prepare('SELECT sum(last_seq - first_seq + 1) AS held FROM lines').get() as {
      held: number
    }
    expect(rows.held).toBeLessThanOrEqual(5000 + 11_000)
    expect(archive.last('c', 's')).toEqual({ epoch: '1', seq: 40_000 })
  })

  it('drops the oldest chunks beyond its bytes, however few lines they are', () => {
    const archive = new LineArchive(db, { lines: 200_000, bytes: 2 * 1024 * 1024 })
    const long = 'x'.repeat(256 * 1024)
    for (let seq = 1; seq <= 100; seq++) {
      archive.append('c', 's', { epoch: '1', firstSeq: seq, times: [0], texts: [long], sources: {} })
      if (seq % 4 === 0) archive.flush()
    }
    const { held, largest } = db
      .prepare('SELECT sum(length(body)) AS held, max(length(body)) AS largest FROM lines')
      .get() as { held: number; largest: number }
    // So much is kept, and what came since that was looked at, of 25 MiB that were told.
    expect(held).toBeLessThan(14 * 1024 * 1024)
    // Every flush writes the last one anew.
    expect(largest).toBeLessThan(1.5 * 1024 * 1024)
    expect(archive.last('c', 's')).toEqual({ epoch: '1', seq: 100 })
  })

  it('forgets a connection whole, with the lines that were not written yet', () => {
    const archive = new LineArchive(db)
    archive.append('c', 's', batch('1', 1, 10))
    archive.append('d', 's', batch('1', 1, 10))
    archive.forget('c')
    wipeRows(db, { connectionId: 'c' })
    archive.flush()
    expect(archive.last('c', 's')).toBeNull()
    expect(archive.last('d', 's')).not.toBeNull()
  })
})

describe('the cache file', () => {
  it('can be read by its owner alone', () => {
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  it('is left alone when a newer panel wrote it', async () => {
    db.exec('PRAGMA user_version = 999')
    expect(() => openFile(file())).toThrow(StartProblem)
  })
})
