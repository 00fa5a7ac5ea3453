import { watch } from 'node:fs'
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  answerOf,
  content,
  metadata,
  namesIn,
  patchHeaders,
  stagingOf,
  startUploads,
} from './uploads.fixture.ts'

test('an upload in pieces ends under its final name with its time, and says its tag and path', async () => {
  const { tus, root, raw } = await startUploads()
  const { bytes, checksum } = content(300_000)
  const created = await tus.create(bytes.length, {
    path: 'wörld/a b.dat',
    modifiedAt: '2020-02-03T04:05:06.000Z',
  })
  expect(created.status).toBe(201)
  const location = created.headers.location ?? ''
  expect(location).toMatch(new RegExp(`^${tus.uploads}/[\\w-]{22}$`))
  expect(await namesIn(root)).toEqual([])

  const first = await tus.patch(location, 0, bytes.subarray(0, 100_000))
  expect([first.status, first.headers['upload-offset']]).toEqual([204, '100000'])
  expect(await tus.offset(location)).toBe(100_000)
  const last = await tus.patch(location, 100_000, bytes.subarray(100_000), { 'Upload-Checksum': checksum })
  expect([last.status, last.headers['upload-offset']]).toEqual([204, '300000'])
  expect(last.headers['upload-final-path']).toBe('w%C3%B6rld/a%20b.dat')
  expect(last.headers['access-control-allow-origin']).toBeUndefined()

  expect((await readFile(path.join(root, 'wörld/a b.dat'))).equals(bytes)).toBe(true)
  expect((await stat(path.join(root, 'wörld/a b.dat'))).mtime.toISOString()).toBe('2020-02-03T04:05:06.000Z')
  expect((await raw('GET content path=wörld/a%20b.dat')).headers.get('etag')).toBe(last.headers.etag)

  // Who lost the answer asks again.
  const head = await tus.send('HEAD', location)
  expect(head.status).toBe(200)
  expect(head.headers).toMatchObject({
    'upload-offset': '300000',
    'upload-length': '300000',
    etag: last.headers.etag,
    'upload-final-path': 'w%C3%B6rld/a%20b.dat',
    'cache-control': 'no-store',
  })
})

test('a checksum may come behind the bytes, as a trailer', async () => {
  const { tus, root } = await startUploads()
  const { bytes, checksum } = content(200_000)
  const { headers } = await tus.create(bytes.length, { path: 'a.dat' })
  const request = tus.begin('PATCH', headers.location ?? '', {
    ...patchHeaders(0),
    'Transfer-Encoding': 'chunked',
    Trailer: 'Upload-Checksum',
  })
  const answer = answerOf(request)
  request.write(bytes)
  request.addTrailers({ 'Upload-Checksum': checksum })
  request.end()
  expect((await answer).status).toBe(204)
  expect((await readFile(path.join(root, 'a.dat'))).equals(bytes)).toBe(true)
})

test('an empty file is there after its creation', async () => {
  const { tus, root } = await startUploads()
  const created = await tus.create(0, { path: 'empty.txt' })
  expect(created.status).toBe(201)
  expect(created.headers['upload-final-path']).toBe('empty.txt')
  expect(await readFile(path.join(root, 'empty.txt'), 'utf8')).toBe('')
  expect(await tus.offset(created.headers.location ?? '')).toBe(0)
})

test('a wrong checksum removes what was sent, and nothing is placed', async () => {
  const it = await startUploads()
  const { tus, root } = it
  const { bytes } = content(50_000)
  const { headers } = await tus.create(bytes.length, { path: 'a.dat' })
  const refused = await tus.patch(headers.location ?? '', 0, bytes, {
    'Upload-Checksum': content(1).checksum,
  })
  expect([refused.status, refused.body.error.code]).toEqual([422, 'files.checksum'])
  expect(refused.headers['tus-resumable']).toBe('1.0.0')
  expect((await tus.send('HEAD', headers.location ?? '')).status).toBe(404)
  expect(await namesIn(root)).toEqual([])
  expect(await readdir(stagingOf(it))).toEqual([])
})

test('without a checksum nothing is placed, and the last byte can be sent again with one', async () => {
  const { tus, root } = await startUploads()
  const { bytes, checksum } = content(50_000)
  const { headers } = await tus.create(bytes.length, { path: 'a.dat' })
  const location = headers.location ?? ''
  const refused = await tus.patch(location, 0, bytes)
  expect([refused.status, refused.body.error.code]).toEqual([422, 'files.checksum-missing'])
  expect(await namesIn(root)).toEqual([])
  expect(await tus.offset(location)).toBe(49_999)
  const last = await tus.patch(location, 49_999, bytes.subarray(49_999), { 'Upload-Checksum': checksum })
  expect(last.status).toBe(204)
  expect((await readFile(path.join(root, 'a.dat'))).equals(bytes)).toBe(true)
})

test('a cut connection keeps every byte that arrived', async () => {
  const it = await startUploads()
  const { tus, root } = it
  const { bytes, checksum } = content(3_000_000)
  const { headers } = await tus.create(bytes.length, { path: 'a.dat' })
  const location = headers.location ?? ''
  let offset = 0
  for (const upTo of [1, 70_000, 1_234_567, 2_999_999]) {
    // By hand: the bytes are all on their way before the connection ends, so all of them have to be kept.
    const socket = createConnection(Number(new URL(tus.origin).port), '127.0.0.1')
    socket.on('error', () => {})
    const lines = [
      `PATCH ${location} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${tus.token}`,
      'Tus-Resumable: 1.0.0',
      'Content-Type: application/offset+octet-stream',
      `Upload-Offset: ${offset}`,
      `Content-Length: ${bytes.length - offset}`,
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.end(bytes.subarray(offset, upTo))
    socket.resume()
    await closed
    await expect.poll(() => tus.offset(location).catch(() => -1)).toBe(upTo)
    offset = upTo
  }
  const last = await tus.patch(location, offset, bytes.subarray(offset), { 'Upload-Checksum': checksum })
  expect(last.status).toBe(204)
  expect((await readFile(path.join(root, 'a.dat'))).equals(bytes)).toBe(true)
})

test('a wrong offset is refused with 409 and changes nothing', async () => {
  const { tus } = await startUploads()
  const { headers } = await tus.create(10, { path: 'a.dat' })
  const location = headers.location ?? ''
  await tus.patch(location, 0, Buffer.from('1234'))
  const refused = await tus.patch(location, 2, Buffer.from('3456'))
  expect([refused.status, refused.body.error.code]).toEqual([409, 'files.upload-offset'])
  const more = await tus.patch(location, 4, Buffer.from('5678901234'))
  expect([more.status, more.body.error.code]).toEqual([413, 'files.too-large'])
  expect(await tus.offset(location)).toBe(4)
})

test('two requests that write at once: the second is told to wait', async () => {
  const { tus, root } = await startUploads()
  const { bytes, checksum } = content(100_000)
  const { headers } = await tus.create(bytes.length, { path: 'a.dat' })
  const location = headers.location ?? ''
  const first = tus.begin('PATCH', location, {
    ...patchHeaders(0),
    'Content-Length': '100000',
    'Upload-Checksum': checksum,
  })
  const answer = answerOf(first)
  first.write(bytes.subarray(0, 60_000))
  await expect.poll(async () => (await tus.patch(location, 0, bytes)).status, { interval: 10 }).toBe(423)
  const busy = await tus.send('HEAD', location)
  expect([busy.status, busy.headers['retry-after']]).toEqual([423, '1'])
  first.end(bytes.subarray(60_000))
  expect((await answer).status).toBe(204)
  expect((await readFile(path.join(root, 'a.dat'))).equals(bytes)).toBe(true)
})

test('what cannot work is refused before the first byte', async () => {
  const { tus, root } = await startUploads({ fileLimits: { maxFileBytes: 1000, quotaBytes: 3000 } })
  await writeFile(path.join(root, 'much'), Buffer.alloc(2500))
  await writeFile(path.join(root, 'taken.txt'), 'mine')
  await mkdir(path.join(root, 'folder'))
  const codeOf = async (size: number, values: Record<string, string>) => {
    const { status, body } = await tus.create(size, values)
    return [status, body.error.code] as const
  }
  expect(await codeOf(1001, { path: 'a' })).toEqual([413, 'files.too-large'])
  expect(await codeOf(5, { path: '../a' })).toEqual([422, 'files.outside'])
  expect(await codeOf(5, { path: 'a/b\\c.txt' })).toEqual([422, 'files.name-invalid'])
  expect(await codeOf(5, { path: '' })).toEqual([422, 'request.invalid'])
  expect(await codeOf(5, { path: 'a', modifiedAt: 'yesterday' })).toEqual([422, 'request.invalid'])
  expect(await codeOf(5, { path: 'taken.txt' })).toEqual([409, 'files.exists'])
  expect(await codeOf(5, { path: 'taken.txt', conflict: 'skip' })).toEqual([409, 'files.exists'])
  expect(await codeOf(5, { path: 'folder', conflict: 'replace' })).toEqual([409, 'files.exists'])
  expect(await codeOf(5, { path: 'taken.txt/a' })).toEqual([409, 'files.not-folder'])
  expect(await codeOf(900, { path: 'a' })).toEqual([507, 'files.quota'])
  expect(await namesIn(root)).toEqual(['folder', 'much', 'taken.txt'])
})

test('a name that was taken meanwhile is told at the end, and the last byte decides', async () => {
  const it = await startUploads()
  const { tus, root } = it
  const { bytes, checksum } = content(1000)
  const send = async (conflict: string) => {
    const { headers } = await tus.create(1000, { path: `${conflict}.txt` })
    const location = headers.location ?? ''
    await writeFile(path.join(root, `${conflict}.txt`), 'theirs')
    const refused = await tus.patch(location, 0, bytes, { 'Upload-Checksum': checksum })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'files.exists'])
    expect(await readFile(path.join(root, `${conflict}.txt`), 'utf8')).toBe('theirs')
    expect(await tus.offset(location)).toBe(999)
    const headersOfLast = { 'Upload-Checksum': checksum, 'Upload-Conflict': conflict }
    return { location, last: await tus.patch(location, 999, bytes.subarray(999), headersOfLast) }
  }
  const replaced = await send('replace')
  expect(replaced.last.status).toBe(204)
  expect((await readFile(path.join(root, 'replace.txt'))).equals(bytes)).toBe(true)

  const both = await send('keep-both')
  expect(both.last.headers['upload-final-path']).toBe('keep-both%20(2).txt')
  expect(await readFile(path.join(root, 'keep-both.txt'), 'utf8')).toBe('theirs')
  expect((await readFile(path.join(root, 'keep-both (2).txt'))).equals(bytes)).toBe(true)

  const skipped = await send('skip')
  expect([skipped.last.status, skipped.last.body.error.code]).toEqual([409, 'files.exists'])
  expect(await readFile(path.join(root, 'skip.txt'), 'utf8')).toBe('theirs')
  expect((await tus.send('HEAD', skipped.location)).status).toBe(404)
})

test('no half file is ever to be seen', async () => {
  const { tus, root } = await startUploads()
  const { bytes, checksum } = content(4_000_000)
  await writeFile(path.join(root, 'world.dat'), Buffer.alloc(2_000_000))
  const sizes = new Set<number>()
  const names = new Set<string>()
  const watcher = watch(root, (_event, name) => {
    names.add(String(name))
    void stat(path.join(root, 'world.dat')).then(({ size }) => sizes.add(size))
  })
  onTestFinished(() => watcher.close())
  const { headers } = await tus.create(bytes.length, { path: 'world.dat', conflict: 'replace' })
  for (let offset = 0; offset < bytes.length; offset += 500_000) {
    const piece = bytes.subarray(offset, offset + 500_000)
    await tus.patch(headers.location ?? '', offset, piece, { 'Upload-Checksum': checksum })
  }
  await expect.poll(() => [...sizes].at(-1)).toBe(4_000_000)
  expect([...names]).toEqual(['world.dat'])
  for (const size of sizes) expect([2_000_000, 4_000_000]).toContain(size)
})

test('what is no tus is told so, in the body of every error', async () => {
  const { tus } = await startUploads()
  const without = await tus.create(5, { path: 'a' }, { 'Tus-Resumable': '' })
  expect([without.status, without.body.error.code]).toEqual([412, 'files.upload-invalid'])
  const wrong = await tus.send('POST', tus.uploads, { 'Upload-Metadata': metadata({ path: 'a' }) })
  expect([wrong.status, wrong.body.error.code]).toEqual([400, 'files.upload-invalid'])
  const options = await tus.send('OPTIONS', tus.uploads)
  expect([options.status, options.headers['tus-extension']]).toEqual([204, 'creation,termination,expiration'])
})
