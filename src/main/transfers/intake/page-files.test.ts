import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { Databases, type DatabaseHandle, type DatabaseLocation } from '../../storage/databases.ts'
import type { RemoteMethods } from '../../base/worker-thread.ts'
import { type RequestFault, hindered } from '../line.fixture.ts'
import { openRoom, startTarget } from '../transfers.fixture.ts'

const PAGE = 'page'
const MIB = 1024 * 1024
const LARGE = 12 * MIB

/** The real databases, on a disk that is full for some calls. */
class FullDatabases extends Databases {
  readonly full = new Set<string>()
  onRefused = () => {}

  override async open<T extends DatabaseHandle>(wanted: DatabaseLocation): Promise<RemoteMethods<T>> {
    const { full } = this
    const refused = () => this.onRefused()
    return new Proxy(await super.open<T>(wanted), {
      get(own, method: string) {
        const call: unknown = Reflect.get(own, method)
        if (typeof call !== 'function' || !full.has(method)) return call
        return async () => {
          refused()
          throw new Error('database or disk is full')
        }
      },
    })
  }
}

/** The real databases; what was kept of a file that is lost is told late to whoever lost it. */
class LateDatabases extends Databases {
  /** Called when files are lost in the queue's file; what it answers is waited for. */
  lost: () => Promise<void> = async () => {}
  /** Called when whoever sent a file has put it back. */
  putBack = () => {}

  override async open<T extends DatabaseHandle>(wanted: DatabaseLocation): Promise<RemoteMethods<T>> {
    return new Proxy(await super.open<T>(wanted), {
      get: (own, method: string) => {
        const call: unknown = Reflect.get(own, method)
        if (typeof call !== 'function') return call
        return async (...args: unknown[]) => {
          const answer: unknown = await Reflect.apply(call, own, args)
          if (method === 'lose') await this.lost()
          if (method === 'gather' || JSON.stringify(args).includes('"waiting"')) this.putBack()
          return answer
        }
      },
    })
  }
}

/** A queue with a page that is there. */
async function openPage(fate: Parameters<typeof hindered>[1] = () => 'pass', databases = new Databases()) {
  const target = await startTarget()
  const line = await hindered(target.service.baseUrl, fate)
  const opened = await openRoom({ here: { baseUrl: line.baseUrl, token: target.token } }, { databases })
  const { spool } = opened.room
  spool.pageCame(PAGE)
  const to = { connectionId: 'here', serverId: target.serverId, folder: '' }
  return {
    ...opened,
    spool,
    at: (name: string) => path.join(target.folder, name),
    announce: (name: string, size: number, modifiedAt = 1_600_000_000_000) =>
      spool.announce({ to, page: PAGE, folders: [], files: [{ path: name, size, modifiedAt }] }),
  }
}

/** Some of a file's bytes, in pieces as a connection brings them. */
function write(body: PassThrough, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; at += 65_536) body.write(bytes.subarray(at, at + 65_536))
}

it('a file that breaks off and comes again waits until its first try has ended, and arrives whole', async () => {
  const held = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  let pieces = 0
  const { room, spool, announce, until, at } = await openPage(async (method): Promise<RequestFault> => {
    if (method !== 'PATCH' || ++pieces !== 2) return 'pass'
    reached.resolve()
    await held.promise
    return 'pass'
  })
  const bytes = randomBytes(LARGE)
  const { transferId, itemIds } = await announce('large.bin', LARGE)
  const broken = new PassThrough()
  const breaking = spool.receive(transferId, itemIds, broken)
  write(broken, bytes.subarray(0, LARGE / 2))
  await reached.promise
  broken.destroy(new Error('The page is gone for a moment.'))
  const { ok, ...outcome } = await breaking
  expect(ok).toBe(false)
  if ('problem' in outcome) await spool.fail(transferId, itemIds, outcome.problem)
  await room.retry(transferId)

  const again = new PassThrough()
  const coming = spool.receive(transferId, itemIds, again)
  write(again, bytes.subarray(0, LARGE / 2))
  await until(({ state }) => state === 'running')
  held.resolve()
  for (let from = LARGE / 2; from < LARGE; from += MIB) {
    write(again, bytes.subarray(from, from + MIB))
    // What is on its way through the queue is not told yet.
    await until(({ bytesDone, filesFailed }) => bytesDone >= from - 3 * MIB || filesFailed > 0)
  }
  again.end()
  expect(await coming).toEqual({ ok: true, value: null })
  const ended = await until(({ endedAt }) => endedAt !== null)
  expect(ended).toMatchObject({ state: 'done', filesFailed: 0 })
  expect((await readFile(at('large.bin'))).equals(bytes)).toBe(true)
})

it('a file whose page leaves while it is announced fails, and is not awaited for ever', async () => {
  const { spool, announce, until } = await openPage()
  const announcing = announce('never.txt', 3)
  spool.pageLeft(PAGE)
  const { transferId } = await announcing
  const ended = await until(({ id, endedAt }) => id === transferId && endedAt !== null)
  expect(ended).toMatchObject({ state: 'failed', filesFailed: 1 })
})

it('a file that breaks off after its page has left fails, also where whoever sends it notices last', async () => {
  const held = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  let pieces = 0
  const databases = new LateDatabases()
  const { spool, announce, until } = await openPage(async (method): Promise<RequestFault> => {
    if (method !== 'PATCH' || ++pieces !== 2) return 'pass'
    reached.resolve()
    await held.promise
    return 'pass'
  }, databases)
  const { transferId, itemIds } = await announce('large.bin', LARGE)
  const body = new PassThrough()
  const comes = spool.receive(transferId, itemIds, body)
  write(body, randomBytes(LARGE / 2))
  await reached.promise
  const never = await announce('never.txt', 3)
  spool.pageLeft(PAGE)
  await until(({ id, state }) => id === never.transferId && state === 'failed')

  const putBack = Promise.withResolvers<void>()
  databases.lost = () => {
    databases.putBack = putBack.resolve
    held.resolve()
    return putBack.promise
  }
  body.destroy(new Error('The page is gone.'))
  expect(await comes).toMatchObject({ ok: false })
  const ended = await until(({ id, endedAt }) => id === transferId && endedAt !== null)
  expect(ended).toMatchObject({ state: 'failed', filesFailed: 1 })
})

it('what is announced while the history is cleared keeps its place', async () => {
  const { room, spool, announce } = await openPage()
  for (let n = 0; n < 60; n++) {
    const [{ transferId, itemIds }] = await Promise.all([announce(`${n}.txt`, 3), room.clear()])
    expect(await spool.receive(transferId, itemIds, Readable.from([Buffer.from('abc')]))).toMatchObject({
      ok: true,
    })
  }
})

it('a large file is vouched for once, whatever the millisecond it was changed in', async () => {
  let vouched = 0
  const { spool, announce, until, at } = await openPage((_method, _path, { headers }) => {
    if (headers['upload-checksum'] !== undefined) vouched++
    return 'pass'
  })
  const times = [1_600_000_000_123, 1_600_000_000_457, 1_600_000_000_981, 1_734_567_890_999]
  for (const [n, time] of times.entries()) {
    const { transferId, itemIds } = await announce(`${n}.bin`, LARGE / 2, time)
    const bytes = randomBytes(LARGE / 2)
    await spool.receive(transferId, itemIds, Readable.from([bytes]))
    await until(({ id, state }) => id === transferId && state === 'done')
    expect(Math.trunc((await stat(at(`${n}.bin`))).mtimeMs)).toBe(time)
  }
  expect(vouched).toBe(times.length)
})

it('a disk that is full while a page leaves ends nothing: what did not come has failed once it is not', async () => {
  const databases = new FullDatabases()
  const { spool, announce, until } = await openPage(undefined, databases)
  const { transferId, itemIds } = await announce('never.txt', 3)
  const unheard: unknown[] = []
  const hear = (error: unknown) => unheard.push(error)
  process.on('unhandledRejection', hear)
  onTestFinished(() => void process.off('unhandledRejection', hear))
  const refused = Promise.withResolvers<void>()
  for (const method of ['lose', 'settle']) databases.full.add(method)
  databases.onRefused = refused.resolve
  spool.pageLeft(PAGE)
  await refused.promise
  databases.full.delete('lose')
  // That it has failed is written, and its end not yet.
  await until(({ id, filesFailed }) => id === transferId && filesFailed === itemIds.length)
  databases.full.clear()
  expect(await until(({ id, endedAt }) => id === transferId && endedAt !== null)).toMatchObject({
    state: 'failed',
  })
  expect(unheard).toEqual([])
})
