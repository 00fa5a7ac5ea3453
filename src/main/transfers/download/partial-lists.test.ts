import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { hindered } from '../line.fixture.ts'
import { openRoom, put, startTarget, type Target } from '../transfers.fixture.ts'

const ended = ({ endedAt }: { endedAt: string | null }) => endedAt !== null

let here: Target
beforeEach(async () => {
  here = await startTarget()
  for (const name of ['f0', 'f1', 'f2']) await put(here.folder, `world/${name}`, 3)
})

/** How the service lists the folder `world`. */
let listed: { items: object[]; [beside: string]: unknown }
const entries = (...names: string[]) => names.map((name) => ({ name, kind: 'file', size: 3 }))

async function open(there?: Target) {
  const line = await hindered(here.service.baseUrl, (method, at) =>
    method === 'GET' && at.startsWith(`/servers/files/${here.serverId}?path=world`)
      ? { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(listed) }
      : 'pass',
  )
  return openRoom({
    here: { baseUrl: line.baseUrl, token: here.token },
    ...(there && { there: { baseUrl: there.service.baseUrl, token: there.token } }),
  })
}

describe('a folder that its service lists in part', () => {
  it.each<[string, object, RegExp, object[]?]>([
    ['in pages that nobody knows', { meta: { page: 1, pages: 3, total: 6 } }, /may have more in “world”/],
    ['as a part of more', { total: 6, nextCursor: null }, /may have more in “world”/],
    ['without an end', { nextCursor: 'again' }, /never ends/],
    ['with what cannot be read', { nextCursor: null }, /could not be read \(1\)/, [{ kind: 'file' }]],
  ])('is downloaded as far as it is listed, and says so: %s', async (_how, beside, why, unread = []) => {
    listed = { items: [...entries('f0', 'f1'), ...unread], ...beside }
    const opened = await open()
    const { transferId } = await opened.room.download({
      connectionId: 'here',
      serverId: here.serverId,
      paths: ['world'],
    })
    expect(await opened.until(ended)).toMatchObject({ state: 'failed', filesDone: 2, filesFailed: 1 })
    const { items } = await opened.room.items({ transferId, only: 'failed', offset: 0, limit: 9 })
    expect(items).toMatchObject([{ path: 'world', problem: { code: 'incompatible' } }])
    expect(items[0]?.problem?.message).toMatch(why)
    expect(await readdir(path.join(opened.downloads, 'world'))).toEqual(['f0', 'f1'])
  })

  it('is shown where it was downloaded to, under the name it has there, and one that was not made is not', async () => {
    listed = { items: entries('f0'), total: 6, nextCursor: null }
    const opened = await open()
    await put(opened.downloads, 'world/mine', 1)
    const download = (name: string) =>
      opened.room.download({ connectionId: 'here', serverId: here.serverId, paths: [name] })
    const { transferId } = await download('world')
    expect(await opened.until(ended)).toMatchObject({ state: 'failed', filesDone: 1, filesFailed: 1 })
    expect(await opened.room.broughtHere(transferId)).toEqual([path.join(opened.downloads, 'world (2)')])
    expect(await readdir(path.join(opened.downloads, 'world (2)'))).toEqual(['f0'])

    listed = { items: 'none' as never }
    const second = await download('world')
    await opened.until(({ id, endedAt }) => id === second.transferId && endedAt !== null)
    expect(await opened.room.broughtHere(second.transferId)).toEqual([])
  })

  it('is completed by another try, and nothing of it comes twice', async () => {
    listed = { items: entries('f0', 'f1'), meta: { page: 1, pages: 2 } }
    const opened = await open()
    const { transferId } = await opened.room.download({
      connectionId: 'here',
      serverId: here.serverId,
      paths: ['world'],
    })
    expect(await opened.until(ended)).toMatchObject({ state: 'failed' })
    listed = { items: entries('f0', 'f1', 'f2'), nextCursor: null }
    await opened.room.retry(transferId)
    expect(await opened.until(({ filesDone, endedAt }) => filesDone === 3 && endedAt !== null)).toMatchObject(
      {
        state: 'done',
        filesFailed: 0,
      },
    )
    expect(await readdir(opened.downloads)).toEqual(['world'])
    expect(await readdir(path.join(opened.downloads, 'world'))).toEqual(['f0', 'f1', 'f2'])
  })

  it('is copied as far as it is listed, and says so', async () => {
    listed = { items: entries('f0', 'f1'), totalPages: 3 }
    const there = await startTarget()
    const opened = await open(there)
    const { transferId } = await opened.room.copy({
      from: { connectionId: 'here', serverId: here.serverId },
      paths: ['world'],
      to: { connectionId: 'there', serverId: there.serverId, folder: '' },
    })
    expect(await opened.until(ended)).toMatchObject({ state: 'failed', filesDone: 2, filesFailed: 1 })
    const { items } = await opened.room.items({ transferId, only: 'failed', offset: 0, limit: 9 })
    expect(items[0]?.problem?.message).toMatch(/may have more in “world”/)
    expect(await readdir(path.join(there.folder, 'world'))).toEqual(['f0', 'f1'])
  })

  it('is not said to lack what was chosen in it and stands on another page', async () => {
    listed = { items: entries('f0', 'f1'), totalPages: 3 }
    const opened = await open()
    const asked = { connectionId: 'here', serverId: here.serverId, paths: ['world/f2'] }
    await expect(opened.room.download(asked)).rejects.toMatchObject({ problem: { code: 'incompatible' } })
    listed = { items: entries('f0', 'f1'), nextCursor: null }
    await expect(opened.room.download(asked)).rejects.toMatchObject({ problem: { code: 'not-found' } })
  })
})
