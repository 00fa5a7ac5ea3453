import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { answerOf, content, namesIn, stagingOf, startUploads } from './uploads.fixture.ts'

test('the simple way: one form, and nothing unless all of it arrived', async () => {
  const it = await startUploads({ fileLimits: { maxFileBytes: 100_000 } })
  const { tus, root } = it
  const { bytes, hex } = content(80_000)
  const form = (values: Record<string, string>, file: Buffer<ArrayBuffer> | null) => {
    const data = new FormData()
    for (const [name, value] of Object.entries(values)) data.append(name, value)
    if (file) data.append('file', new Blob([file]), 'x')
    return data
  }
  const post = async (values: Record<string, string>, file: Buffer | null) => {
    const answer = await it.raw('POST upload', { body: form(values, file && Buffer.from(file)) })

    return { status: answer.status, body: await answer.json(), headers: answer.headers }
  }
  const good = await post({ path: 'ü/a.dat', modifiedAt: '2020-02-03T04:05:06.000Z', sha256: hex }, bytes)
  expect([good.status, good.body]).toMatchObject([
    201,
    { entry: { name: 'a.dat', kind: 'file', size: 80_000, modifiedAt: '2020-02-03T04:05:06.000Z' } },
  ])
  expect(good.headers.get('upload-final-path')).toBe('%C3%BC/a.dat')
  expect((await readFile(path.join(root, 'ü/a.dat'))).equals(bytes)).toBe(true)

  const codeOf = async (values: Record<string, string>, file: Buffer | null) => {
    const { status, body } = await post(values, file)
    return [status, body.error?.code] as const
  }
  expect(await codeOf({ path: 'ü/a.dat' }, bytes)).toEqual([409, 'files.exists'])
  expect(await codeOf({ path: 'b', sha256: content(1).hex }, bytes)).toEqual([422, 'files.checksum'])
  expect(await codeOf({ path: '../b' }, bytes)).toEqual([422, 'files.outside'])
  expect(await codeOf({}, bytes)).toEqual([422, 'request.invalid'])
  expect(await codeOf({ path: 'b' }, null)).toEqual([422, 'request.invalid'])
  expect(await codeOf({ path: 'b' }, content(100_001).bytes)).toEqual([413, 'files.too-large'])

  const cut = tus.begin('POST', tus.uploads, {
    'Content-Type': 'multipart/form-data; boundary=x',
    'Content-Length': '50000',
  })
  const broken = answerOf(cut).catch(() => 'cut')
  cut.write('--x\r\nContent-Disposition: form-data; name="path"\r\n\r\ncut.dat\r\n')
  cut.write('--x\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n')
  cut.write(Buffer.alloc(20_000))
  const staging = path.dirname(stagingOf(it))
  const temps = async () => (await readdir(staging)).filter((name) => name !== 'uploads')
  await expect.poll(async () => (await temps()).length).toBe(1)
  cut.destroy()
  expect(await broken).toBe('cut')
  await expect.poll(temps).toEqual([])
  expect(await namesIn(root)).toEqual(['ü', 'ü/a.dat'])
})
