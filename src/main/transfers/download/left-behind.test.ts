import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { type RequestFault, hindered } from '../line.fixture.ts'
import {
  type TransfersFixture,
  openRoom,
  put,
  startTarget,
  type Target,
  temporary,
} from '../transfers.fixture.ts'

const MIB = 1024 * 1024
const ended = ({ endedAt }: { endedAt: string | null }) => endedAt !== null

let target: Target
beforeEach(async () => {
  target = await startTarget()
})

const here = () => ({ connectionId: 'here', serverId: target.serverId })
const open = (baseUrl = target.service.baseUrl) => openRoom({ here: { baseUrl, token: target.token } })

/** Everything below a folder that is no folder itself; nothing where the folder is not there. */
async function filesBelow(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return found.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** Bytes that the service holds for uploads that are not ended. */
async function stagedBytes(): Promise<number> {
  const answer = await fetch(`${target.service.baseUrl}/servers/files/limits/${target.serverId}`, {
    headers: { authorization: `Bearer ${target.token}` },
  })
  return ((await answer.json()) as { usedBytes: number }).usedBytes
}

/** An upload that has come some of its way. */
async function beginUpload({ room, until }: TransfersFixture): Promise<string> {
  const file = await put(await temporary(), 'big.bin', 16 * MIB)
  await room.limit({ limit: 4 * MIB, atOnce: 1 })
  const to = { ...here(), folder: '' }
  const { transferId } = await room.upload({ to, files: [{ path: 'big.bin', file }], folders: [] })
  await until((one) => one.bytesDone > 0)
  return transferId
}

/** A download that has come some of its way. */
async function beginDownload({ room, until }: TransfersFixture): Promise<string> {
  await put(target.folder, 'world.zip', 16 * MIB)
  await room.limit({ limit: 8 * MIB, atOnce: 1 })
  const { transferId } = await room.download({ ...here(), paths: ['world.zip'] })
  await until((one) => one.bytesDone > 0)
  return transferId
}

it('a canceled upload leaves nothing at the service', async () => {
  const opened = await open()
  const before = await stagedBytes()
  const transferId = await beginUpload(opened)
  expect(await stagedBytes()).toBeGreaterThan(before)
  await opened.room.cancel(transferId)
  expect(await opened.until(ended)).toMatchObject({ state: 'cancelled' })
  await expect.poll(stagedBytes).toBe(before)
  expect(await readdir(target.folder)).not.toContain('big.bin')
})

it('signing out leaves nothing of an upload at the service', async () => {
  const opened = await open()
  const before = await stagedBytes()
  await beginUpload(opened)
  expect(await stagedBytes()).toBeGreaterThan(before)
  await opened.room.leave('here')
  expect(await stagedBytes()).toBe(before)
})

it('signing out ends an upload that the service is still busy with, too', async () => {
  let busy = 0
  const { baseUrl } = await hindered(target.service.baseUrl, (method): RequestFault =>
    method === 'DELETE' && busy++ < 2
      ? { status: 423, body: '{"error":{"code":"files.busy","message":"It is being sent."}}' }
      : 'pass',
  )
  const opened = await open(baseUrl)
  const before = await stagedBytes()
  await beginUpload(opened)
  await opened.room.leave('here')
  expect(busy).toBeGreaterThan(2)
  expect(await stagedBytes()).toBe(before)
})

it('signing out leaves no part of a download on this computer', async () => {
  const opened = await open()
  await beginDownload(opened)
  expect(await filesBelow(opened.downloads)).toEqual([expect.stringMatching(/\.part$/)])
  await opened.room.wipe('here')
  expect(await filesBelow(opened.downloads)).toEqual([])
})

it('a failed download that is cleared leaves no part on this computer', async () => {
  let gone = false
  const { baseUrl } = await hindered(target.service.baseUrl, (_, at): RequestFault => {
    const body = '{"error":{"code":"files.not-found","message":"It is not there."}}'
    return gone && at.startsWith('/servers/files/content/') ? { status: 404, body } : 'pass'
  })
  const opened = await open(baseUrl)
  const transferId = await beginDownload(opened)
  await opened.room.pause(transferId)
  gone = true
  await opened.room.resume(transferId)
  expect(await opened.until(ended)).toMatchObject({ state: 'failed' })
  expect(await filesBelow(opened.downloads)).toEqual([expect.stringMatching(/\.part$/)])
  await opened.room.clear()
  expect(await filesBelow(opened.downloads)).toEqual([])
  expect((await opened.room.list()).items).toEqual([])
})

it('a service that does not answer holds up no sign-out', async () => {
  let silent = false
  const { baseUrl } = await hindered(target.service.baseUrl, (method): RequestFault =>
    silent && method === 'DELETE' ? 'no-answer' : 'pass',
  )
  const opened = await open(baseUrl)
  await beginUpload(opened)
  silent = true
  await opened.room.leave('here')
  await opened.room.wipe('here')
  expect((await opened.room.list()).items).toEqual([])
})

it('a download without an entity tag that breaks off leaves no part, since nobody could go on with it', async () => {
  const { baseUrl } = await hindered(target.service.baseUrl, (_, at): RequestFault =>
    at.startsWith('/servers/files/content/')
      ? { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: 'short' }
      : 'pass',
  )
  const opened = await open(baseUrl)
  await put(target.folder, 'a.bin', 100)
  await opened.room.download({ ...here(), paths: ['a.bin'] })
  await opened.until((one) => one.problem !== null || ended(one))
  await expect.poll(() => filesBelow(path.dirname(opened.downloads))).toEqual([])
})
