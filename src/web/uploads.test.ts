import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Events } from '../contract/bridge/events.ts'
import type { Outcome } from '../contract/bridge/problem.ts'
import { testPorts } from '../main/panel/panel.fixture.ts'
import { createPanel, type Panel } from '../main/panel/panel.ts'
import { letIn, type PageSession } from './let-in.fixture.ts'
import { serveWeb, type WebServer } from './server.ts'

let folder: string
let panel: Panel
let web: WebServer
let origin: string
let own: PageSession
let server: { connectionId: string; serverId: string }
const told: Events['transfers'][] = []
let heard: () => void = () => undefined
const window = {
  send: (event: string, value: unknown) => {
    if (event === 'transfers') told.push(value as Events['transfers'])
    heard()
  },
  pressure: () => 0,
}

async function call(name: string, input?: unknown) {
  const outcome = await panel.call(name, input, window)
  if (!outcome.ok) throw new Error(outcome.problem.message)
  return outcome.value as never
}

// One panel and service for all tests; each has a server of its own, and leaves no transfer behind.
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'web-'))
  panel = await createPanel(testPorts(folder))
  panel.attach(window)
  await mkdir(path.join(folder, 'page'))
  await writeFile(path.join(folder, 'page/browser.html'), '<head></head>')
  web = await serveWeb(panel, path.join(folder, 'page'), 0)
  own = await letIn(web.address)
  origin = own.origin
})
afterAll(async () => {
  await web.close()
  await panel.close()
  await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  const { id: connectionId } = (await call('connections.this-computer')) as { id: string }
  const made = { name: 'W', software: { id: 'demo', version: '1.21.1' }, memoryMb: 512 }
  const { id: serverId } = (await call('operation.send', {
    operation: 'servers.create',
    connectionId,
    body: made,
  })) as { id: string }
  server = { connectionId, serverId }
  told.length = 0
})
afterEach(async () => {
  const all = async () => ((await call('transfers.list')) as Events['transfers']).items
  for (const { id, endedAt } of await all())
    if (endedAt === null) await call('transfers.cancel', { transferId: id })
  await call('transfers.clear', {})
  expect(await all()).toEqual([])
  await call('servers.remove', { ...server, confirm: 'W' })
})

const ask = (method: string, at: string, body?: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(origin + at, {
    method,
    headers: { ...own.headers, ...headers },
    ...(body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) }),
  })
const openSocket = (page: string) =>
  new WebSocket(`${origin.replace('http', 'ws')}/socket?page=${page}`, ...own.socket)
async function outcome<T>(answer: Response) {
  return (await answer.json()) as Outcome<T>
}
type Announcement = { transferId: string; itemIds: number[] }

async function announce(page: string, files: Record<string, number>): Promise<Announcement> {
  const announced = await outcome<Announcement>(
    await ask(
      'POST',
      '/uploads',
      JSON.stringify({
        to: { ...server, folder: 'in' },
        folders: [],
        page,
        files: Object.entries(files).map(([name, size]) => ({
          path: name,
          size,
          modifiedAt: 1_600_000_000_000,
        })),
      }),
    ),
  )
  if (!announced.ok) throw new Error(announced.problem.message)
  return announced.value
}

const latestWith = (wanted: (transfer: Events['transfers']['items'][number]) => boolean) =>
  new Promise<Events['transfers']['items'][number]>((resolve) => {
    heard = () => {
      const found = told.at(-1)?.items[0]
      if (found && wanted(found)) resolve(found)
    }
    heard()
  })
const latest = (state: string) => latestWith((transfer) => transfer.state === state)

async function arrived(name: string): Promise<string> {
  return path.join(folder, 'service/servers', server.serverId, 'in', name)
}

describe('files of a page', () => {
  it('come to the server by one request each or together, and leave nothing in the spool', async () => {
    const { transferId, itemIds } = await announce('p', { 'a.txt': 3, 'b/c.txt': 4, empty: 0, 'd.bin': 5 })
    const [a, b, empty, d] = itemIds
    const together = await ask('PUT', `/uploads/${transferId}/${a},${b},${empty}`, 'aaabbbb')
    expect(await outcome(together)).toEqual({ ok: true, value: null })
    // Bytes that wait are for this user alone.
    expect(await outcome(await ask('PUT', `/uploads/${transferId}/${d}`, 'ddddd'))).toMatchObject({
      ok: true,
    })
    expect(await latest('done')).toMatchObject({ filesDone: 4, bytes: 12, bytesDone: 12 })
    expect(await readFile(await arrived('b/c.txt'), 'utf8')).toBe('bbbb')
    expect((await stat(await arrived('a.txt'))).mtimeMs).toBe(1_600_000_000_000)
    await expect.poll(() => readdir(path.join(folder, 'spool'))).toEqual([])
  })

  it('that are longer or shorter than announced are refused', async () => {
    const { transferId, itemIds } = await announce('p', { 'a.txt': 3 })
    for (const body of ['aaaa', 'aa'])
      expect(await outcome(await ask('PUT', `/uploads/${transferId}/${itemIds[0]}`, body))).toMatchObject({
        ok: false,
        problem: { code: 'changed' },
      })
    expect(await outcome(await ask('DELETE', `/uploads/${transferId}/${itemIds[0]}`))).toMatchObject({
      ok: true,
    })
    expect(await latest('failed')).toMatchObject({ filesFailed: 1 })
  })

  it('that had failed before they came are awaited again by a retry, as long as their page is there', async () => {
    const failed = async (page: string) => {
      const { transferId, itemIds } = await announce(page, { 'a.txt': 3 })
      const address = `/uploads/${transferId}/${itemIds[0]}`
      await ask('DELETE', address)
      await latest('failed')
      return { transferId, address }
    }
    const gone = await failed('never there')
    await expect(call('transfers.retry', { transferId: gone.transferId })).rejects.toThrow(
      'Drop the file again',
    )
    await latest('failed')
    await call('transfers.clear', {})

    const socket = openSocket('p2')
    await new Promise((resolve) => socket.once('open', resolve))
    const here = await failed('p2')
    await call('transfers.retry', { transferId: here.transferId })
    await latest('gathering')
    expect(await outcome(await ask('PUT', here.address, 'aaa'))).toEqual({ ok: true, value: null })
    await latest('done')
    expect(await readFile(await arrived('a.txt'), 'utf8')).toBe('aaa')
    socket.close()
  })

  it('that never came fail with a sentence once their page is gone', async () => {
    const socket = openSocket('p1')
    await new Promise((resolve) => socket.once('open', resolve))
    const { transferId } = await announce('p1', { 'a.txt': 3 })
    await latest('gathering')
    socket.close()
    const failed = await latest('failed')
    const { items } = (await call('transfers.items', {
      ...{ transferId: failed.id, only: 'failed', offset: 0, limit: 5 },
    })) as { items: { problem: { message: string } }[] }
    expect(failed.id).toBe(transferId)
    expect(items[0]?.problem.message).toMatch(/^The page was closed before/)
  })

  it('that never come are awaited for a hundred uploads at most; one more is refused with a sentence', async () => {
    const begun = await Promise.all(
      Array.from({ length: 4 }, async (_, at) => {
        const made: Announcement[] = []
        for (let times = 0; times < 25; times++) made.push(await announce('p', { [`${at} ${times}.txt`]: 3 }))
        return made
      }),
    )
    await expect(announce('p', { 'more.txt': 3 })).rejects.toThrow(
      'Too many uploads are being prepared at once.',
    )
    const [{ transferId, itemIds }] = begun[0] as [Announcement]
    await ask('PUT', `/uploads/${transferId}/${itemIds[0]}`, 'aaa')
    await announce('p', { 'more.txt': 3 })
    await latestWith(() =>
      told.at(-1)!.items.some(({ id, endedAt }) => id === transferId && endedAt !== null),
    )
  })

  const LARGE = 12 * 1024 * 1024
  /** Begins to bring a file and answers once a part of it is at the service. */
  async function bringHalf(body: Buffer, page = 'p') {
    const { transferId, itemIds } = await announce(page, { 'large.bin': body.length })
    const address = `/uploads/${transferId}/${itemIds[0]}`
    const sending = request(origin + address, {
      method: 'PUT',
      headers: { ...own.headers, 'content-length': body.length },
    })
    const answered = new Promise<Outcome<null>>((resolve, reject) =>
      sending
        .on('error', reject)
        .on(
          'response',
          (response) => void new Response(Readable.toWeb(response) as BodyInit).json().then(resolve),
        ),
    )
    answered.catch(() => {})
    sending.write(body.subarray(0, LARGE / 2))
    const begun = await latestWith(({ bytesDone }) => bytesDone > 0)
    expect(begun).toMatchObject({ state: 'running', filesDone: 0 })
    return { sending, answered, address, itemId: itemIds[0] }
  }

  it('that are large are sent on while they come', async () => {
    const body = randomBytes(LARGE)
    const { sending, answered } = await bringHalf(body)
    sending.end(body.subarray(LARGE / 2))
    expect(await answered).toEqual({ ok: true, value: null })
    await latest('done')
    expect((await readFile(await arrived('large.bin'))).equals(body)).toBe(true)
    expect((await stat(await arrived('large.bin'))).mtimeMs).toBe(1_600_000_000_000)
    await expect.poll(() => readdir(path.join(folder, 'spool'))).toEqual([])
  })

  it('that break off while they are sent on are awaited anew, and are never whole before', async () => {
    const body = randomBytes(LARGE)
    const { sending, address } = await bringHalf(body)
    sending.destroy()
    expect(await latest('gathering')).toMatchObject({ filesDone: 0, filesFailed: 0 })
    const names = await readdir(folder, { recursive: true })
    expect(names.filter((name) => name.endsWith('large.bin'))).toEqual([])
    expect(await outcome(await ask('PUT', address, body))).toEqual({ ok: true, value: null })
    await latest('done')
    expect((await readFile(await arrived('large.bin'))).equals(body)).toBe(true)
  })

  it('that break off and cannot be read any more fail, and what was begun is none of the server', async () => {
    const { sending, address } = await bringHalf(randomBytes(LARGE))
    sending.destroy()
    await latest('gathering')
    await ask('DELETE', address)
    expect(await latest('failed')).toMatchObject({ filesDone: 0, filesFailed: 1 })
    const names = await readdir(folder, { recursive: true })
    expect(names.filter((name) => name.endsWith('large.bin'))).toEqual([])
  })

  it('that still come are taken though the socket of their page is away, and fail where they break off then', async () => {
    const page = 'p3'
    const socket = openSocket(page)
    await new Promise((resolve) => socket.once('open', resolve))
    const body = randomBytes(LARGE)
    const comes = await bringHalf(body, page)
    const breaks = await bringHalf(randomBytes(LARGE), page)
    const gone = await announce(page, { 'never.txt': 3 })
    socket.close()
    const named = (id: string | undefined) => told.at(-1)?.items.find((transfer) => transfer.id === id)
    await expect.poll(() => named(gone.transferId)?.state).toBe('failed')
    comes.sending.end(body.subarray(LARGE / 2))
    expect(await comes.answered).toEqual({ ok: true, value: null })
    await expect.poll(() => named(comes.address.split('/')[2])?.state).toBe('done')
    expect((await readFile(await arrived('large.bin'))).equals(body)).toBe(true)
    breaks.sending.destroy()
    await expect.poll(() => named(breaks.address.split('/')[2])?.state).toBe('failed')
  })

  it('that are canceled while they come are taken no further', async () => {
    const { sending, answered, address } = await bringHalf(randomBytes(LARGE))
    await call('transfers.cancel', { transferId: address.split('/')[2] })
    // The connection ends with it, so that the rest is not even sent.
    await expect(answered).rejects.toThrow()
    expect(sending.destroyed).toBe(true)
    expect(await latest('cancelled')).toMatchObject({ filesDone: 0 })
    await expect.poll(() => readdir(path.join(folder, 'spool'))).toEqual([])
  })
})
