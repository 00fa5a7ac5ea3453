import { join } from 'node:path'
import { stat } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { localized } from '../../../contract/messages/localized-text.ts'
import { temporary } from '../transfers.fixture.ts'
import { migrations } from './migrations.ts'
import { openTables, type Tables } from './tables.ts'
import type { NewItem, NewTransfer } from './rows.ts'

let file: string
let tables: Tables
beforeEach(async () => {
  file = join(await temporary(), 'transfers.db')
  tables = openTables(file)
})

const transfer = (id: string, connectionId = 'c'): NewTransfer => ({
  ...{ id, kind: 'upload', name: id, connectionId, serverId: 's', folder: '', page: null },
  ...{ fromConnectionId: null, fromServerId: null, backup: null, createdAt: '2026-01-01T00:00:00.000Z' },
})
const item = (path: string, size: number, state: NewItem['state'] = 'waiting'): NewItem => ({
  ...{ path, size, state, kind: 'file', modifiedAt: 1, source: `/x/${path}`, target: path },
})
const batch = { maxFiles: 3, maxBytes: 1000, smallBytes: 500 }

describe('the queue on disk', () => {
  it('is readable by this user alone', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('counts what its items come to', () => {
    const [a, b] = tables.add(transfer('t'), [item('a', 10), item('b', 20), item('c', 30, 'gathering')])
    tables.changeItem(a!, { state: 'done', bytesDone: 10 })
    tables.changeItem(b!, { state: 'running', bytesDone: 5 })
    const counts = { files: 3, done: 1, open: 1, gathering: 1, bytes: 60, bytesDone: 15, bytesLeft: 45 }
    expect(tables.one('t')).toMatchObject(counts)
    tables.changeItem(b!, { state: 'failed', problem: { code: 'invalid', message: 'No.', retryable: false } })
    expect(tables.one('t')).toMatchObject({ failed: 1, open: 0, bytesLeft: 30 })
  })

  it('counts the same through all that an item can be', () => {
    const states = [
      'gathering',
      'waiting',
      'running',
      'asking',
      'done',
      'failed',
      'skipped',
      'cancelled',
    ] as const
    const [a, b] = tables.add(transfer('t'), [item('a', 10), item('b', 20)])
    const among = (state: string, some: readonly string[]) => (some.includes(state) ? 1 : 0)
    for (const from of states)
      for (const to of states) {
        tables.changeItem(a!, { state: from, bytesDone: 0 })
        tables.changeItem(a!, { state: to, bytesDone: 4 })
        tables.changeItem(b!, { state: from })
        tables.changeItem(b!, { state: to })
        const isOpen = among(to, ['waiting', 'running'])
        const isLeft = isOpen + among(to, ['asking', 'gathering'])
        expect(tables.one('t')).toMatchObject({
          ...{ open: 2 * isOpen, asking: 2 * among(to, ['asking']), gathering: 2 * among(to, ['gathering']) },
          ...{ done: 2 * among(to, ['done']), failed: 2 * among(to, ['failed']) },
          ...{ skipped: 2 * among(to, ['skipped']), bytes: 30, bytesDone: 4, bytesLeft: isLeft * 26 },
        })
      }
  })

  it('knows a transfer whose items come in pages once it has all of them, behind those that came before', () => {
    tables.collect(transfer('paged'))
    tables.add(transfer('other'), [item('x', 1)])
    expect(tables.collected('paged', [item('tree/a', 10), item('tree/b', 20)])).toBe(true)
    expect(tables.all().map(({ id }) => id)).toEqual(['other'])
    expect(tables.active().map(({ id }) => id)).toEqual(['other'])
    expect(tables.one('paged')).toBeNull()
    expect(tables.claim('paged', batch)).toEqual([])
    tables.collected('paged', [item('more', 30)])
    expect(tables.begin('paged')).toBe(true)
    expect(tables.active().map(({ id }) => id)).toEqual(['other', 'paged'])
    expect(tables.one('paged')).toMatchObject({ state: 'active', files: 3, open: 3, bytes: 60, others: 1 })
  })

  it('forgets what was not all read when the panel ended, was given up, or belongs to a connection that went', async () => {
    for (const id of ['ended', 'given-up']) {
      tables.collect(transfer(id))
      tables.collected(id, [item('a', 1)])
    }
    tables.collect(transfer('theirs', 'c2'))
    tables.discard('given-up')
    tables.wipe('c2')
    for (const id of ['given-up', 'theirs']) {
      expect(tables.collected(id, [item('b', 1)])).toBe(false)
      expect(tables.begin(id)).toBe(false)
    }
    tables.close()
    tables = openTables(file)
    tables.recover({ code: 'offline', message: 'Gone.', retryable: false })
    expect(tables.begin('ended')).toBe(false)
    expect(tables.items('ended', 'all', 0, 9).total).toBe(0)
  })

  it('never discards a transfer that has begun', () => {
    tables.collect(transfer('t'))
    tables.collected('t', [item('a', 1)])
    tables.begin('t')
    tables.discard('t')
    expect(tables.collected('t', [item('b', 1)])).toBe(false)
    expect(tables.one('t')).toMatchObject({ files: 1 })
  })

  it('keeps of files that went together that they are whole, and where, and no tries from before', () => {
    const [a, b] = tables.add(transfer('t'), [item('a', 10), item('b', 20)])
    tables.changeItem(b!, { sent: true, tries: 3, resume: '/x' })
    tables.done([a!, b!], new Map([[b!, 'b (2)']]))
    expect(tables.one('t')).toMatchObject({ done: 2, open: 0, bytesDone: 30, bytesLeft: 0 })
    const [, second] = tables.items('t', 'all', 0, 9).items
    const whole = { state: 'done', bytesDone: 20, sent: false, resume: null, tries: 0, reached: 20 }
    expect(second).toMatchObject({ ...whole, finalPath: 'b (2)' })
  })

  it('knows how many were picked beside the one that gives the name; a tree is one', () => {
    tables.add(transfer('one'), [item('huge.bin', 1)])
    tables.add(transfer('two'), [item('huge.bin', 1), item('b.txt', 1)])
    tables.add(transfer('tree'), [item('tree/a', 1), item('tree/b/c', 1)])
    tables.add(transfer('mixed'), [item('tree/a', 1), item('tree/b', 1), item('x', 1), item('y', 1)])
    const others = Object.fromEntries(tables.all().map((row) => [row.id, row.others]))
    expect(others).toEqual({ one: 0, two: 1, tree: 0, mixed: 2 })
  })

  it('learns that of the transfers an earlier panel has kept, too', async () => {
    const older = join(file, '..', 'older.db')
    const db = new DatabaseSync(older)
    db.exec(migrations.slice(0, 2).join(';'))
    db.exec('PRAGMA user_version = 2')
    const put = db.prepare(
      `INSERT INTO transfers (id, kind, state, position, name, connection_id, server_id, folder, created_at)
       VALUES (?, 'upload', 'done', 1, 'a', 'c', 's', '', '2026-01-01T00:00:00.000Z')`,
    )
    const hold = db.prepare(
      `INSERT INTO items (transfer_id, path, kind, size, state, source, target)
       VALUES (?, ?, 'file', 1, 'done', '', '')`,
    )
    for (const id of ['none', 'tree', 'three']) put.run(id)
    for (const path of ['a/b', 'a/c/d']) hold.run('tree', path)
    for (const path of ['a', 'b/x', 'b/y', 'c']) hold.run('three', path)
    db.close()
    const all = openTables(older).all()
    expect(Object.fromEntries(all.map((row) => [row.id, row.others]))).toEqual({ none: 0, tree: 0, three: 2 })
  })

  it('keeps the sentence of a problem beside its English words, and those of before as they are', async () => {
    const [a, b] = tables.add(transfer('t'), [item('a', 10), item('b', 20)])
    const said = localized('send.too-large', { name: 'a', size: 10, most: 9 })
    const now = { code: 'too-large', ...said, retryable: false } as const
    const before = { code: 'too-large', message: 'Too large.', retryable: false } as const
    tables.changeItem(a!, { state: 'failed', problem: now })
    tables.changeItem(b!, { state: 'failed', problem: before })
    const { items } = openTables(file).items('t', 'failed', 0, 9)
    expect(items.map(({ problem }) => problem)).toEqual([now, before])
    expect(now.text).toEqual({ key: 'send.too-large', values: { name: 'a', size: 10, most: 9 } })
  })

  it('gives out small files together, large ones by themselves, and none twice', () => {
    tables.add(transfer('t'), [
      item('a', 400),
      item('big', 9000),
      item('b', 400),
      item('c', 400),
      item('d', 1),
    ])
    const claims = Array.from({ length: 5 }, () => tables.claim('t', batch).map(({ path }) => path))
    expect(claims).toEqual([['a', 'b'], ['big'], ['c', 'd'], [], []])
  })

  it('puts a choice for all into what it gives out, and keep-both goes by itself', () => {
    const ids = tables.add(transfer('t'), [item('a', 1, 'asking'), item('b', 1), item('c', 1)])
    tables.answer('t', ids[0]!, 'keep-both', true)
    const claimed = tables.claim('t', batch)
    expect(claimed).toMatchObject([{ path: 'a', choice: 'keep-both' }])
  })

  it('gives out nothing of a transfer that was paused, canceled or has ended', () => {
    tables.add(transfer('t'), [item('a', 1)])
    for (const state of ['paused', 'cancelled', 'failed', 'done'] as const) {
      tables.changeTransfer('t', { state })
      expect(tables.claim('t', batch)).toEqual([])
    }
    tables.changeTransfer('t', { state: 'active' })
    expect(tables.claim('t', batch)).toHaveLength(1)
  })

  it('ends a transfer with nothing left to do, and none that goes on or was stopped', () => {
    const [a] = tables.add(transfer('t'), [item('a', 1)])
    const at = '2026-01-01T00:00:00.000Z'
    expect(tables.settle('t', at)).toBeNull()
    tables.changeItem(a!, { state: 'done' })
    tables.changeTransfer('t', { state: 'paused' })
    expect(tables.settle('t', at)).toBeNull()
    tables.changeTransfer('t', { state: 'active' })
    expect(tables.settle('t', at)).toMatchObject({ id: 't', done: 1 })
    expect(tables.one('t')).toMatchObject({ state: 'done', endedAt: at })
  })

  it('fails all of a transfer that is not ended, but nothing that was stopped', () => {
    const [done] = tables.add(transfer('t'), [item('a', 1), item('b', 2), item('c', 3, 'asking')])
    tables.changeItem(done!, { state: 'done', bytesDone: 1 })
    const why = { code: 'forbidden', message: 'No.', retryable: false } as const
    tables.changeTransfer('t', { state: 'cancelled' })
    expect(tables.fail('t', why, '2026-01-01T00:00:00.000Z')).toBeNull()
    expect(tables.one('t')).toMatchObject({ state: 'cancelled', failed: 0, problem: null })
    tables.changeTransfer('t', { state: 'active' })
    const failed = tables.fail('t', why, '2026-01-01T00:00:00.000Z')
    expect(failed).toEqual(tables.one('t'))
    expect(failed).toMatchObject({
      state: 'failed',
      done: 1,
      failed: 2,
      open: 0,
      bytesLeft: 0,
      problem: why,
    })
  })

  it('cancels what is not ended, and counts along', () => {
    const items = Array.from({ length: 1000 }, (_, n) => item(String(n), 10, n % 2 ? 'waiting' : 'asking'))
    const ids = tables.add(transfer('t'), items)
    tables.changeItem(ids[0]!, { state: 'done', bytesDone: 10 })
    tables.cancelItems('t')
    const counts = { done: 1, open: 0, asking: 0, failed: 0, bytes: 10_000, bytesDone: 10, bytesLeft: 0 }
    expect(tables.one('t')).toMatchObject(counts)
    expect(tables.items('t', 'all', 1, 1).items).toMatchObject([{ state: 'cancelled' }])
  })

  it('finds again what was left open in a transfer that has ended, and leaves alone what goes on', () => {
    const ids = tables.add(transfer('t'), [item('a', 1), item('b', 1), item('c', 1), item('d', 1, 'asking')])
    tables.changeItem(ids[1]!, { state: 'running' })
    tables.changeItem(ids[2]!, { state: 'done' })
    expect(tables.again('t', null)).toBe(0)
    tables.changeTransfer('t', { state: 'failed', endedAt: '2026-01-01T00:00:00.000Z' })
    expect(tables.again('t', null)).toBe(3)
    expect(tables.items('t', 'all', 0, 9).items.map(({ state }) => state)).toEqual([
      ...['waiting', 'waiting', 'done', 'waiting'],
    ])
  })

  it('lets what ran wait again after a start, and fails what no page will bring', async () => {
    tables.add(transfer('t'), [item('a', 1), item('b', 1, 'gathering')])
    tables.claim('t', null)
    tables.close()
    tables = openTables(file)
    tables.recover({ code: 'offline', message: 'Gone.', retryable: false })
    expect(tables.items('t', 'all', 0, 9).items.map(({ path, state }) => [path, state])).toEqual([
      ['b', 'failed'],
      ['a', 'waiting'],
    ])
  })

  it('never takes a part of a file of a page for the file, whatever it did when the panel ended', () => {
    const growing = { ...item('part', 9, 'gathering'), source: '' }
    tables.add(transfer('t'), [growing, { ...growing, path: 'begun' }, { ...growing, path: 'whole' }])
    const ids = tables.items('t', 'all', 0, 9).items.map(({ id }) => id)
    for (const id of ids) tables.growing(id)
    tables.claim('t', null)
    tables.came('/spool/3', [{ id: ids[2]!, sourceAt: null, modifiedAt: 1 }])
    tables.recover({ code: 'offline', message: 'Gone.', retryable: false })
    const found = tables.items('t', 'all', 0, 9).items.map(({ path, state }) => `${path} ${state}`)
    expect(found.sort()).toEqual(['begun failed', 'part failed', 'whole waiting'])
  })

  it('keeps 200 ended transfers', () => {
    for (let n = 0; n < 205; n++) {
      tables.add(transfer(`t${n}`), [item('a', 1)])
      const endedAt = new Date(n * 1000).toISOString()
      tables.changeTransfer(`t${n}`, { state: 'done', endedAt })
    }
    tables.add(transfer('open'), [item('a', 1)])
    const ids = tables.all().map(({ id }) => id)
    expect(ids).toHaveLength(201)
    expect(ids.slice(0, 2)).toEqual(['open', 't204'])
    expect(ids).not.toContain('t4')
  })

  it('keeps an ended transfer that has begun something, however old, until that is dropped', () => {
    const [a] = tables.add({ ...transfer('old'), kind: 'download' }, [item('a', 9)])
    tables.changeItem(a!, { state: 'failed', etag: '"1"' })
    for (let n = 0; n < 202; n++) {
      if (n > 0) tables.add(transfer(`t${n}`), [item('a', 1)])
      const endedAt = new Date(n * 1000).toISOString()
      tables.changeTransfer(n > 0 ? `t${n}` : 'old', { state: 'failed', endedAt })
    }
    expect(tables.begun('old')).toMatchObject([{ path: 'a' }])
    tables.changeItem(a!, { etag: null })
    tables.changeTransfer('t201', { state: 'failed', endedAt: new Date(202_000).toISOString() })
    expect(tables.one('old')).toBeNull()
  })

  it('forgets a connection with all that was queued for it', () => {
    tables.add(transfer('a', 'c1'), [item('secret-name', 1)])
    tables.add(transfer('b', 'c2'), [item('other', 1)])
    expect(tables.wipe('c1')).toEqual(['a'])
    expect(tables.all().map(({ id }) => id)).toEqual(['b'])
    expect(tables.items('a', 'all', 0, 9).total).toBe(0)
  })
})
