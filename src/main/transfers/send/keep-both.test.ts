import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type RequestFault, hindered } from '../line.fixture.ts'
import { openRoom, put, startTarget, type Target, temporary } from '../transfers.fixture.ts'

const MIB = 1024 * 1024
const ended = ({ endedAt }: { endedAt: string | null }) => endedAt !== null
const creates = (method: string, at: string) => method === 'POST' && at.startsWith('/servers/files/upload/')

let target: Target
let source: string
beforeEach(async () => {
  target = await startTarget()
  source = await temporary()
})

type RequestHook = (method: string, path: string, request: IncomingMessage) => RequestFault

/** Uploads `a.txt` to where somebody else's lies; both are to be kept. From the answer on `fate` says what becomes of requests. */
async function keepBoth(size: number, fate: RequestHook, before: RequestHook = () => 'pass') {
  let answered = false
  const { baseUrl } = await hindered(target.service.baseUrl, (...request) => {
    const what = before(...request)
    return what === 'pass' && answered ? fate(...request) : what
  })
  const { room, until } = await openRoom({ here: { baseUrl, token: target.token } })
  await writeFile(path.join(target.folder, 'a.txt'), 'theirs')
  const to = { connectionId: 'here', serverId: target.serverId, folder: '' }
  const file = await put(source, 'a.txt', size)
  const { transferId } = await room.upload({ to, files: [{ path: 'a.txt', file }], folders: [] })
  const { asking } = await until((one) => one.asking !== null)
  answered = true
  await room.answer({ transferId, itemId: asking?.itemId ?? '', choice: 'keep-both', forAll: false })
  const { state } = await until(ended)
  const { items } = await room.items({ transferId, only: 'all', offset: 0, limit: 9 })
  return { state, finalPath: items[0]?.finalPath }
}

/** Ours is there once, beside theirs. */
async function expectBoth({ state, finalPath }: Awaited<ReturnType<typeof keepBoth>>, name = 'a (2).txt') {
  expect([state, finalPath]).toEqual(['done', name])
  expect((await readdir(target.folder)).filter((one) => one.startsWith('a'))).toEqual([name, 'a.txt'])
  expect(await readFile(path.join(target.folder, 'a.txt'), 'utf8')).toBe('theirs')
  const [ours, sent] = [path.join(target.folder, name), path.join(source, 'a.txt')]
  expect((await readFile(ours)).equals(await readFile(sent))).toBe(true)
}

/** The first request that is meant loses its answer. */
function losing(meant: (method: string, path: string) => boolean): RequestHook & { lost: () => number } {
  let lost = 0
  const fate = (method: string, at: string): RequestFault =>
    lost === 0 && meant(method, at) && ++lost > 0 ? 'lose-answer' : 'pass'
  return Object.assign(fate, { lost: () => lost })
}

describe('a file that is to lie beside another one is there once', () => {
  it('where the answer to the creation of an empty one is lost', async () => {
    const fate = losing(creates)
    await expectBoth(await keepBoth(0, fate))
    expect(fate.lost()).toBe(1)
  })

  it('where the answer to its last piece is lost', async () => {
    const fate = losing((method) => method === 'PATCH')
    await expectBoth(await keepBoth(100, fate))
    expect(fate.lost()).toBe(1)
  })

  it.each([100, 5 * MIB])(
    'where the answer to its last piece is lost and the service has forgotten the upload since (%d bytes)',
    async (size) => {
      let offset = 0
      const fate = losing((method) => method === 'PATCH' && offset >= size)
      const both = await keepBoth(size, (method, at, request) => {
        offset =
          Number(request.headers['upload-offset'] ?? 0) + Number(request.headers['content-length'] ?? 0)
        if (fate.lost() === 1 && method === 'HEAD') return { status: 404, body: '' }
        return fate(method, at, request)
      })
      await expectBoth(both)
      expect(fate.lost()).toBe(1)
    },
  )

  it('where the answer to the one form of a service without tus is lost', async () => {
    const fate = losing(creates)
    const both = await keepBoth(100, fate, (_, at, { headers }) => {
      if (at.startsWith('/servers/files/limits/')) return { status: 404, body: '{}' }
      const tus = at.startsWith('/servers/files/upload/') && headers['tus-resumable'] !== undefined
      return tus ? { status: 415, body: '{}' } : 'pass'
    })
    await expectBoth(both)
    expect(fate.lost()).toBe(1)
  })

  it('where the request itself was lost, and not its answer', async () => {
    let lost = 0
    const both = await keepBoth(100, (method) =>
      method === 'PATCH' && lost++ === 0 ? { status: 500, body: '{}' } : 'pass',
    )
    await expectBoth(both)
    expect(lost).toBe(2)
  })

  it('under the next name that is free, whatever took the others meanwhile', async () => {
    await mkdir(path.join(target.folder, 'a (2).txt'))
    let seen = false
    const done = await keepBoth(100, (method, at) => {
      // Somebody is faster than we are, between the look and the upload.
      if (creates(method, at) && !seen && (seen = true))
        return {
          status: 409,
          headers: { 'tus-resumable': '1.0.0' },
          body: '{"error":{"code":"files.exists"}}',
        }
      return 'pass'
    })
    expect([seen, done.state, done.finalPath]).toEqual([true, 'done', 'a (4).txt'])
  })
})

it('a copy of which the last answer was lost is there once, also after the panel was closed', async () => {
  const other = await startTarget()
  await put(target.folder, 'a.txt', 3 * MIB)
  let lost = 0
  let forgets = false
  const { baseUrl } = await hindered(other.service.baseUrl, (method, _, { headers }) => {
    if (forgets && method === 'HEAD') return { status: 404, body: '' }
    const until = Number(headers['upload-offset'] ?? 0) + Number(headers['content-length'] ?? 0)
    const lose = method === 'PATCH' && until === 3 * MIB && lost === 0
    return lose && ++lost > 0 ? 'lose-answer' : forgets || lost === 0 ? 'pass' : { status: 503, body: '{}' }
  })
  const lines = {
    here: { baseUrl: target.service.baseUrl, token: target.token },
    there: { baseUrl, token: other.token },
  }
  const first = await openRoom(lines)
  await first.room.copy({
    from: { connectionId: 'here', serverId: target.serverId },
    paths: ['a.txt'],
    to: { connectionId: 'there', serverId: other.serverId, folder: '' },
  })
  await expect.poll(async () => (await readdir(other.folder)).includes('a.txt')).toBe(true)
  await first.until((one) => one.problem !== null)
  await first.close()
  forgets = true
  const second = await openRoom(lines, { dataDir: first.folder })
  const done = await second.until((one) => ended(one) || one.asking !== null)
  expect([lost, done.state, done.bytesDone]).toEqual([1, 'done', 3 * MIB])
  expect((await readdir(other.folder)).filter((name) => name.startsWith('a'))).toEqual(['a.txt'])
})
