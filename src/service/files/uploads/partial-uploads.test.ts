import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startFileService, type FileService } from '../files.fixture.ts'
import { startTestService } from '../../service.fixture.ts'
import { content, RawTus } from './uploads.fixture.ts'

type TusService = FileService & { tus: RawTus }

async function start(quotaBytes = 1000): Promise<TusService> {
  const it = await startFileService({ fileLimits: { maxFileBytes: null, quotaBytes } })
  return Object.assign(it, { tus: new RawTus(it.baseUrl, it.serverId, it.token) })
}

const partsOf = (it: FileService) => path.join(it.service.dataDir, 'staging', it.serverId, 'uploads')

/** Begins an upload and sends so many bytes of it. */
async function park(it: TusService, name: string, size: number, sent: number): Promise<string> {
  const { status, headers } = await it.tus.create(size, { path: name, conflict: 'replace' })
  expect(status).toBe(201)
  const location = headers.location ?? ''
  expect((await it.tus.patch(location, 0, randomBytes(sent))).status).toBe(204)
  return location
}

async function room(it: Pick<FileService, 'ask'>): Promise<[used: number, free: number]> {
  const { body } = await it.ask('GET limits')
  return [body.usedBytes, body.freeBytes]
}

test('what is begun and not finished counts to the quota, until it is finished and after it', async () => {
  const it = await start()
  const whole = content(600)
  const { headers } = await it.tus.create(600, { path: 'a.dat' })
  const a = headers.location ?? ''
  expect(await room(it), 'what is only announced keeps nobody else out').toEqual([0, 1000])
  await it.tus.patch(a, 0, whole.bytes.subarray(0, 500))
  expect(await room(it)).toEqual([500, 500])

  const refused = await it.tus.create(501, { path: 'b.dat' })
  expect([refused.status, refused.body.error.code]).toEqual([507, 'files.quota'])
  const written = await it.ask('PUT content path=c.txt', { body: 'x'.repeat(501) })
  expect([written.status, written.body.error?.code]).toEqual([507, 'files.quota'])

  await park(it, 'b.dat', 400, 400 - 1)
  expect(await room(it)).toEqual([899, 101])
  const last = await it.tus.patch(a, 500, whole.bytes.subarray(500), { 'Upload-Checksum': whole.checksum })
  expect(last.status).toBe(204)
  expect(await room(it)).toEqual([999, 1])
})

test('of uploads that fit one by one no more bytes are taken than fit together', async () => {
  const it = await start()
  const all: string[] = []
  // One by one: while it is looked whether one fits, it has its room.
  for (let i = 0; i < 8; i++) all.push((await it.tus.create(301, { path: `f${i}` })).headers.location ?? '')
  const answers = await Promise.all(all.map((location) => it.tus.patch(location, 0, randomBytes(300))))
  const codes = answers.map(({ status, body }) => (status === 204 ? 204 : body.error.code))
  const quota = 'files.quota'
  expect(codes.sort()).toEqual([204, 204, 204, quota, quota, quota, quota, quota])
  const sizes = await Promise.all(
    (await readdir(partsOf(it)))
      .filter((name) => name.endsWith('.part'))
      .map(async (name) => (await stat(path.join(partsOf(it), name))).size),
  )
  expect(sizes.reduce((sum, size) => sum + size)).toBe(900)
  expect(await room(it)).toEqual([900, 100])
})

test('a file that is replaced frees its room only when the new one is in its place', async () => {
  const it = await start()
  await writeFile(path.join(it.root, 'a.dat'), randomBytes(400))
  const { bytes, checksum } = content(600)
  const { headers } = await it.tus.create(600, { path: 'a.dat', conflict: 'replace' })
  const location = headers.location ?? ''
  await it.tus.patch(location, 0, bytes.subarray(0, 599))
  expect(await room(it)).toEqual([999, 1])
  const last = await it.tus.patch(location, 599, bytes.subarray(599), { 'Upload-Checksum': checksum })
  expect(last.status).toBe(204)
  expect(await room(it)).toEqual([600, 400])
})

test('room is free again when an upload is ended by who began it, or turns out wrong', async () => {
  const it = await start()
  const ended = await park(it, 'a', 600, 500)
  expect((await it.tus.send('DELETE', ended)).status).toBe(204)
  expect(await room(it)).toEqual([0, 1000])

  const wrong = await park(it, 'b', 600, 500)
  const refused = await it.tus.patch(wrong, 500, randomBytes(100), { 'Upload-Checksum': content(1).checksum })
  expect(refused.body.error.code).toBe('files.checksum')
  expect(await room(it)).toEqual([0, 1000])
})

test('a service that is started again reckons with what was begun before, and frees what is swept', async () => {
  const it = await start()
  const { bytes, checksum } = content(600)
  const { headers } = await it.tus.create(600, { path: 'a.dat' })
  const id = String(headers.location).split('/').at(-1) ?? ''
  await it.tus.patch(headers.location ?? '', 0, bytes.subarray(0, 500))
  await park(it, 'old.dat', 400, 300)
  const { dataDir } = it.service
  await it.service.close(true)
  const old = new Date(Date.now() - 25 * 60 * 60 * 1000)
  for (const name of (await readdir(partsOf(it))).filter((one) => !one.startsWith(id))) {
    const file = path.join(partsOf(it), name)
    if (name.endsWith('.part')) await utimes(file, old, old)
    // Begun by an earlier version, it goes by its date alone.
    else
      await writeFile(
        file,
        JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), seenAt: undefined }),
      )
  }

  const again = await startTestService({ dataDir, fileLimits: { maxFileBytes: null, quotaBytes: 1000 } })
  const ask = (route: string) =>
    again.call(`${route.replace(' ', ' /servers/files/')}/${it.serverId}`, { token: it.token })
  // The old one is swept behind the start.
  await expect.poll(() => room({ ask })).toEqual([500, 500])
  const tus = new RawTus(again.baseUrl, it.serverId, it.token)
  const refused = await tus.create(501, { path: 'b.dat' })
  expect([refused.status, refused.body.error.code]).toEqual([507, 'files.quota'])
  const last = await tus.patch(`${tus.uploads}/${id}`, 500, bytes.subarray(500), {
    'Upload-Checksum': checksum,
  })
  expect(last.status).toBe(204)
  expect(await room({ ask })).toEqual([600, 400])
})
