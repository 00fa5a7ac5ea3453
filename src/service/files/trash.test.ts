import { readdirSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { TrashEntry } from '../../contract/areas/values/file-values.ts'
import { heldClock, temporaryFolder, startTestService } from '../service.fixture.ts'
import { startService } from '../service.ts'
import { openTestFiles, startFileService, type FileService } from './files.fixture.ts'
import { restoreItem } from './item-actions.ts'
import { Trash } from './trash.ts'

const DAY = 24 * 60 * 60 * 1000

const remove = async (one: FileService, ...paths: string[]) =>
  (await one.ask('POST delete', { body: { paths } })).body
const restore = async (one: FileService, ids: string[], conflict?: string) =>
  (await one.ask('POST restore', { body: { ids, ...(conflict && { conflict }) } })).body.results
const held = async (one: FileService): Promise<{ id: string; path: string }[]> =>
  (await one.ask('GET trash')).body.items

test('what is deleted is in the trash with its place, size and time, and comes back whole', async () => {
  const clock = heldClock()
  const one = await startFileService({ clock })
  await mkdir(path.join(one.root, 'world/region'), { recursive: true })
  await writeFile(path.join(one.root, 'world/region/r.mca'), 'region')
  await writeFile(path.join(one.root, 'a.txt'), 'a')
  const { results, trash } = await remove(one, 'world', 'none', 'a.txt', '../x')
  expect(results).toMatchObject([
    { path: 'world', outcome: 'done' },
    { path: 'none', outcome: 'failed', error: { code: 'files.not-found' } },
    { path: 'a.txt', outcome: 'done' },
    { path: '../x', outcome: 'failed', error: { code: 'files.outside' } },
  ])
  expect(readdirSync(one.root)).toEqual([])
  expect(await held(one)).toEqual(trash)
  expect(trash).toMatchObject([
    { path: 'world', kind: 'folder', size: 6, deletedAt: '2026-01-01T00:00:00.000Z' },
    { path: 'a.txt', kind: 'file', size: 1 },
  ])
  // One call, one first part.
  expect(new Set(trash.map(({ id }: { id: string }) => id.split('-')[0])).size).toBe(1)
  const ids = trash.map(({ id }: { id: string }) => id)
  expect(await restore(one, ids)).toMatchObject([
    { path: ids[0], outcome: 'done', finalPath: 'world' },
    { path: ids[1], outcome: 'done', finalPath: 'a.txt' },
  ])
  expect(await one.onDisk('world/region/r.mca')).toBe('region')
  expect(await held(one)).toEqual([])
})

test('what comes back makes the folders above it anew, and lets what took its name choose', async () => {
  const one = await startFileService()
  await mkdir(path.join(one.root, 'plugins'))
  await writeFile(path.join(one.root, 'plugins/a.yml'), 'old')
  const [{ id }] = (await remove(one, 'plugins/a.yml')).trash
  await rm(path.join(one.root, 'plugins'), { recursive: true })
  await mkdir(path.join(one.root, 'plugins'))
  await writeFile(path.join(one.root, 'plugins/a.yml'), 'new')
  expect(await restore(one, [id])).toMatchObject([{ outcome: 'failed', error: { code: 'files.exists' } }])
  expect(await restore(one, [id], 'skip')).toMatchObject([{ outcome: 'skipped' }])
  expect((await held(one)).length).toBe(1)
  expect(await restore(one, [id], 'keep-both')).toMatchObject([
    { outcome: 'done', finalPath: 'plugins/a (2).yml' },
  ])
  expect(await restore(one, [id])).toMatchObject([{ outcome: 'failed', error: { code: 'files.not-found' } }])
  expect([await one.onDisk('plugins/a.yml'), await one.onDisk('plugins/a (2).yml')]).toEqual(['new', 'old'])
})

test('ids that are none reach nothing', async () => {
  const one = await startFileService({ dataDir: await temporaryFolder() })
  for (const id of ['..', '../../servers', '.', 'x', '/etc', 'a/../b'])
    expect(await restore(one, [id])).toMatchObject([{ error: { code: 'files.not-found' } }])
  const purged = await one.ask('POST purge', { body: { ids: ['..', '../servers'] } })
  expect(purged.status).toBe(204)
  expect(readdirSync(path.join(one.service.dataDir, 'servers'))).toEqual([one.serverId])
})

test('is emptied in part or as a whole, for good', async () => {
  const one = await startFileService({ clock: heldClock() })
  for (const name of ['a', 'b', 'c']) await writeFile(path.join(one.root, name), name)
  const { trash } = await remove(one, 'a', 'b', 'c')
  await one.ask('POST purge', { body: { ids: [trash[1].id] } })
  expect((await held(one)).map((item) => item.path)).toEqual(['a', 'c'])
  await one.ask('POST purge', { body: {} })
  expect(await held(one)).toEqual([])
  expect(readdirSync(path.join(one.service.dataDir, 'trash', one.serverId))).toEqual([])
})

test('what is older than 30 days goes with the next delete', async () => {
  const clock = heldClock()
  const one = await startFileService({ clock })
  for (const name of ['old', 'recent', 'new']) await writeFile(path.join(one.root, name), name)
  await remove(one, 'old')
  clock.forward(20 * DAY)
  await remove(one, 'recent')
  clock.forward(11 * DAY)
  const token = await one.call('POST /auth/login', {
    body: { email: 'ann@example.org', password: 'correct horse battery' },
  })
  one.token = token.body.token
  const ask = (route: string, body?: unknown) =>
    one.call(route.replace('#', one.serverId), { token: one.token, ...(body !== undefined && { body }) })
  await ask('POST /servers/files/delete/#', { paths: ['new'] })
  await expect
    .poll(async () =>
      (await ask('GET /servers/files/trash/#')).body.items.map((item: { path: string }) => item.path),
    )
    .toEqual(['new', 'recent'])
})

test('a clock that jumps a month or a century ahead, or back, removes nothing, over a restart either', async () => {
  const clock = heldClock()
  const dataDir = await temporaryFolder()
  const first = await startFileService({ dataDir, clock })
  const { serverId } = first
  const inTrash = () => readdirSync(path.join(dataDir, 'trash', serverId)).length
  // Deleted by a clock that is behind, right, and ahead.
  for (const [name, set] of [
    ['behind', -40 * DAY],
    ['right', 40 * DAY],
    ['ahead', 36_500 * DAY],
  ] as const) {
    clock.set(set)
    const { token } = (
      await first.call('POST /auth/login', {
        body: { email: 'ann@example.org', password: 'correct horse battery' },
      })
    ).body
    await writeFile(path.join(first.root, name), name)
    const { status } = await first.call(`POST /servers/files/delete/${serverId}`, {
      token,
      body: { paths: [name] },
    })
    expect(status).toBe(200)
  }
  expect(inTrash()).toBe(3)
  await first.service.close(true)
  for (const set of [40 * DAY, -36_540 * DAY, 300 * DAY]) {
    clock.set(set)
    const next = await startTestService({ dataDir, clock })
    await writeFile(path.join(dataDir, 'staging', serverId, 'tmp-left'), '')
    await next.service.close(true)
    expect(inTrash()).toBe(3)
  }
})

test('what an earlier version deleted begins to age when it is first seen', async () => {
  const { files, root } = await openTestFiles()
  const clock = heldClock()
  const trash = new Trash(files, clock)
  await writeFile(path.join(root, 'a'), 'a')
  using located = files.locate('a')
  const { id } = await trash.take(located, trash.newCall(), 0)
  const record = path.join(files.trash, id, 'record.json')
  const { seenAt, ...old } = JSON.parse(await readFile(record, 'utf8')) as Record<string, unknown>
  expect(seenAt).toBe(0)
  await writeFile(record, JSON.stringify(old))
  clock.forward(100 * DAY)
  await trash.sweep()
  clock.forward(30 * DAY)
  await trash.sweep()
  expect((await trash.list()).map(({ path }) => path)).toEqual(['a'])
  clock.forward(1)
  await trash.sweep()
  expect(await trash.list()).toEqual([])
})

test('what is too much goes, the oldest first, and never what the newest call deleted', async () => {
  const clock = heldClock()
  const { files, root } = await openTestFiles({ quotaBytes: 4000 })
  const trash = new Trash(files, clock)
  const drop = async (...sizes: number[]) => {
    clock.forward(1000)
    const call = trash.newCall()
    for (const [i, size] of sizes.entries()) {
      await writeFile(path.join(root, `of-${size}`), 'x'.repeat(size))
      using located = files.locate(`of-${size}`)
      await trash.take(located, call, i)
    }
    await trash.sweep()
    return (await trash.list()).map(({ size }) => size)
  }
  expect(trash.maxBytes).toBe(1000)
  expect(await drop(300)).toEqual([300])
  expect(await drop(600)).toEqual([600, 300])
  expect(await drop(200)).toEqual([200, 600])
  expect(await drop(900, 800)).toEqual([900, 800])
  expect(await drop(100)).toEqual([100, 900])
})

test('and what an earlier run left half done are swept when the service starts', async () => {
  const dataDir = await temporaryFolder()
  const clock = heldClock()
  const first = await startService({
    dataDir,
    clock,
    allowRegistration: true,
    passwordCost: { log2N: 4, r: 8, p: 1 },
  })
  await first.close(true)
  const one = await startFileService({ dataDir, clock })
  await writeFile(path.join(one.root, 'a'), 'a')
  await remove(one, 'a')
  const staging = path.join(dataDir, 'staging', one.serverId)
  await writeFile(path.join(staging, 'tmp-left'), 'half')
  await mkdir(path.join(staging, 'tmp-tree'))
  clock.forward(31 * DAY)
  await one.service.close(true)
  await startTestService({ dataDir, clock })
  await expect.poll(() => readdirSync(staging).filter((name) => name.startsWith('tmp-'))).toEqual([])
  await expect.poll(() => readdirSync(path.join(dataDir, 'trash', one.serverId))).toEqual([])
})

test('goes with its server, as does what is not whole yet', async () => {
  const one = await startFileService({ dataDir: await temporaryFolder() })
  await writeFile(path.join(one.root, 'a'), 'a')
  await remove(one, 'a')
  const { status } = await one.call(`DELETE /servers/${one.serverId}?confirm=Mine`, { token: one.token })
  expect(status).toBe(204)
  for (const kind of ['servers', 'staging', 'trash', 'removed'])
    expect(readdirSync(path.join(one.service.dataDir, kind)), kind).toEqual([])
})

test('an item whose record a power failure took is not lost', async () => {
  const { files, root } = await openTestFiles()
  const trash = new Trash(files, heldClock())
  await writeFile(path.join(root, 'a'), 'a')
  using located = files.locate('a')
  const { id } = await trash.take(located, trash.newCall(), 0)
  const record = path.join(files.trash, id, 'record.json')
  expect(JSON.parse(await readFile(record, 'utf8'))).toMatchObject({ path: 'a' })
  await writeFile(record, '{"path": ')
  const name = `recovered-${id}`
  expect(await trash.list()).toMatchObject([{ id, path: name, kind: 'file', size: 1 }])
  const desk = { files, trash, log: pino({ enabled: false }), checkAgain: () => {} }
  expect(await restoreItem(desk, id, 'refuse')).toEqual({ outcome: 'done', path: name })
  expect(await readFile(path.join(root, name), 'utf8')).toBe('a')
  expect(await trash.list()).toEqual([])
})

test('one damaged record costs nothing but itself, and a trash that was taken away is an empty one', async () => {
  const { files, root } = await openTestFiles()
  const trash = new Trash(files, heldClock())
  const ids: string[] = []
  for (const name of ['a', 'b', 'c']) {
    await writeFile(path.join(root, name), name)
    using located = files.locate(name)
    ids.push((await trash.take(located, trash.newCall(), ids.length)).id)
  }
  const [future = '', file = ''] = ids
  const record = { path: 'a', kind: 'file', size: 1, deletedAt: 1e300 }
  await writeFile(path.join(files.trash, future, 'record.json'), JSON.stringify(record))
  await rm(path.join(files.trash, file), { recursive: true })
  await writeFile(path.join(files.trash, file), 'a file where a folder was')
  const paths = (await trash.list()).map((item) => item.path)
  expect(paths).toContain('c')
  expect(paths).toContain(`recovered-${future}`)
  // A time that a calendar has, and no answer of ours: whoever reads the list would refuse all of it.
  const beyond = JSON.stringify({ ...record, deletedAt: 8e14 })
  await writeFile(path.join(files.trash, future, 'record.json'), beyond)
  expect(z.array(TrashEntry).safeParse(await trash.list())).toMatchObject({ success: true })
  await rm(files.trash, { recursive: true })
  expect(await trash.list()).toEqual([])
  await trash.purge(undefined, () => {})
})

test('a record that cannot be read now is never written over, and hinders no other item from going', async () => {
  const { files, root } = await openTestFiles()
  const clock = heldClock()
  const trash = new Trash(files, clock)
  const ids: string[] = []
  for (const name of ['old', 'unreadable', 'new']) {
    await writeFile(path.join(root, name), name)
    using located = files.locate(name)
    ids.push((await trash.take(located, trash.newCall(), 0)).id)
    clock.forward(20 * DAY)
  }
  const [old = '', unreadable = ''] = ids
  const record = path.join(files.trash, unreadable, 'record.json')
  await rm(record)
  await mkdir(record)
  await trash.sweep()
  expect(readdirSync(files.trash)).not.toContain(old)
  expect(readdirSync(path.dirname(record))).toEqual(['item', 'record.json'])
  expect(readdirSync(record)).toEqual([])
})
