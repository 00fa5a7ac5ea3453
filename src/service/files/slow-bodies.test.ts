import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import { expect, test } from 'vitest'
import type { GrantedScopes } from '../base/access.ts'
import { answerOf, content, patchHeaders, RawTus } from './uploads/uploads.fixture.ts'
import { startFileService, stagingOf } from './files.fixture.ts'

/** A service whose one account is a member that may write files, until that is taken away. */
async function startWithMember() {
  const now: { held: GrantedScopes } = { held: 'owner' }
  const one = await startFileService({ held: () => now.held })
  now.held = ['files.read', 'files.write']
  return { one, takeAway: () => (now.held = ['files.read']) }
}

const FORM = [
  '--b\r\nContent-Disposition: form-data; name="path"\r\n\r\na.txt',
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nbytes',
  '--b--\r\n',
].join('\r\n')

/** Whole bodies that write a.txt: the operation, its content type, the bytes, and how many of them come late. */
const bodies: [string, string, () => Promise<Buffer>, number][] = [
  ['PUT content path=a.txt', 'application/octet-stream', async () => Buffer.from('bytes'), 1],
  ['POST upload', 'multipart/form-data; boundary=b', async () => Buffer.from(FORM), 8],
  ['POST batch', 'application/x-tar', tarOfOne, 1_000_000],
]

async function tarOfOne(): Promise<Buffer> {
  const tar = pack()
  // Too large to be held: its bytes show in the staging folder.
  tar.entry({ name: 'a.txt' }, randomBytes(5_000_000))
  tar.finalize()
  return buffer(tar)
}

test.each(bodies)(
  '%s writes nothing where the scope was taken away while its body came',
  async (route, type, make, late) => {
    const { one, takeAway } = await startWithMember()
    const whole = await make()
    const last = Promise.withResolvers<void>()
    const body = (async function* () {
      yield whole.subarray(0, -late)
      await last.promise
      yield whole.subarray(-late)
    })()
    const answering = one.raw(route, {
      headers: { 'Content-Type': type },
      body: Readable.toWeb(Readable.from(body)) as never,
      duplex: 'half',
    })
    await expect.poll(() => stagingOf(one).length).toBeGreaterThan(0)
    takeAway()
    last.resolve()
    expect(await (await answering).text()).toContain('server.forbidden')
    expect(existsSync(path.join(one.root, 'a.txt'))).toBe(false)
  },
)

test('an upload by tus places nothing where the scope was taken away while its bytes came', async () => {
  const { one, takeAway } = await startWithMember()
  const tus = new RawTus(one.baseUrl, one.serverId, one.token)
  const { bytes, checksum } = content(100_000)
  const { headers } = await tus.create(bytes.length, { path: 'a.txt' })
  const target = String(headers.location)
  await tus.patch(target, 0, bytes.subarray(0, 50_000))
  const request = tus.begin('PATCH', target, {
    ...patchHeaders(50_000),
    'Content-Length': '50000',
    'Upload-Checksum': checksum,
  })
  const answer = answerOf(request)
  request.write(bytes.subarray(50_000, -1))
  const staging = path.join(one.service.dataDir, 'staging', one.serverId, 'uploads')
  const part = readdirSync(staging).find((name) => name.endsWith('.part'))!
  await expect.poll(() => statSync(path.join(staging, part)).size).toBe(99_999)
  takeAway()
  request.end(bytes.subarray(-1))
  const { status, body } = await answer
  expect([status, body.error.code]).toEqual([403, 'server.forbidden'])
  expect(existsSync(path.join(one.root, 'a.txt'))).toBe(false)
})
