import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type RequestFault, hindered } from '../line.fixture.ts'
import { hashes, openRoom, put, startTarget, type Target } from '../transfers.fixture.ts'

const ended = ({ endedAt }: { endedAt: string | null }) => endedAt !== null
const failing: RequestFault = { status: 503, headers: { 'retry-after': '0' }, body: '{}' }
type Fates = Partial<Record<'from' | 'to', Parameters<typeof hindered>[1]>>

let here: Target
let there: Target
beforeEach(async () => {
  ;[here, there] = await Promise.all([startTarget(), startTarget()])
})

/** A queue between two services, and what it asked of the second. */
async function open(fates: Fates = {}, dataDir?: string) {
  const asked = { batches: 0, creations: 0 }
  const from = await hindered(here.service.baseUrl, fates.from ?? (() => 'pass'))
  const to = await hindered(there.service.baseUrl, (method, at, request) => {
    if (at.startsWith('/servers/files/batch/')) asked.batches++
    if (method === 'POST' && at.startsWith('/servers/files/upload/')) asked.creations++
    return fates.to?.(method, at, request) ?? 'pass'
  })
  const opened = await openRoom(
    {
      here: { baseUrl: from.baseUrl, token: here.token },
      there: { baseUrl: to.baseUrl, token: there.token },
    },
    dataDir === undefined ? {} : { dataDir },
  )
  return {
    ...opened,
    asked,
    copy: (...paths: string[]) =>
      opened.room.copy({
        from: { connectionId: 'here', serverId: here.serverId },
        paths,
        to: { connectionId: 'there', serverId: there.serverId, folder: '' },
      }),
    failed: async (transferId: string) =>
      (await opened.room.items({ transferId, only: 'failed', offset: 0, limit: 9 })).items,
  }
}

/** A tree of small files of which one is empty. */
async function fill(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await put(here.folder, `tree/${n % 3}/${n}.txt`, n * 10)
}

const sameAsSource = async () => expect(await hashes(there.folder)).toEqual(await hashes(here.folder))

describe('small files that are copied', () => {
  it('go together, with their times, and larger ones by themselves', async () => {
    await fill(40)
    await put(here.folder, 'tree/large.bin', 1024 * 1024)
    const time = new Date('2020-02-03T04:05:06.789Z')
    await utimes(path.join(here.folder, 'tree/1/1.txt'), time, time)
    const { copy, until, asked } = await open()
    await copy('tree')
    expect(await until(ended)).toMatchObject({ state: 'done', filesDone: 41 })
    await sameAsSource()
    expect((await stat(path.join(there.folder, 'tree/1/1.txt'))).mtime).toEqual(time)
    expect(asked).toEqual({ batches: expect.any(Number) as number, creations: 1 })
    expect(asked.batches).toBeLessThan(6)
  })

  it('go one by one to a service that takes no batches', async () => {
    await fill(5)
    const none = { status: 501, body: '{}' }
    const { copy, until, asked } = await open({
      to: (_, at) => (at.startsWith('/servers/files/batch/') ? none : 'pass'),
    })
    await copy('tree')
    expect(await until(ended)).toMatchObject({ state: 'done', filesDone: 5 })
    await sameAsSource()
    expect(asked.creations).toBe(5)
  })

  it('are compared where the answer was lost: nothing is asked, nothing is doubled', async () => {
    await fill(30)
    let lost = 0
    const { copy, until } = await open({
      to: (_, at) => (at.startsWith('/servers/files/batch/') && lost++ === 0 ? 'lose-answer' : 'pass'),
    })
    await copy('tree')
    expect(await until((one) => ended(one) || one.state === 'asking')).toMatchObject({
      state: 'done',
      filesDone: 30,
    })
    expect(lost).toBeGreaterThan(1)
    await sameAsSource()
  })

  it('arrive once where the panel is closed before the answer to a batch', async () => {
    await fill(30)
    const sent = Promise.withResolvers<void>()
    const first = await open({
      to: (_, at) => {
        if (!at.startsWith('/servers/files/batch/')) return 'pass'
        sent.resolve()
        return 'lose-answer'
      },
    })
    await first.copy('tree')
    await sent.promise
    await first.close()
    const second = await open({}, first.folder)
    expect(await second.until((one) => ended(one) || one.state === 'asking')).toMatchObject({
      state: 'done',
      filesDone: 30,
    })
    await sameAsSource()
  })

  it('are asked about where their names are taken, and the others come', async () => {
    await fill(6)
    await put(there.folder, 'tree/0/3.txt', 5)
    const { room, copy, until } = await open()
    const { transferId } = await copy('tree')
    const { asking } = await until((one) => one.state === 'asking' && one.filesDone === 5 && !!one.asking)
    const itemId = asking?.itemId ?? ''
    await room.answer({ transferId, itemId, choice: 'replace', forAll: false })
    expect(await until(ended)).toMatchObject({ state: 'done', filesDone: 6 })
    await sameAsSource()
  })

  it('fail each for itself where they cannot be read, and the others come', async () => {
    await fill(12)
    const gone = { status: 404, body: '{"error":{"code":"files.not-found","message":"It is gone."}}' }
    const { copy, until, failed } = await open({
      from: (_, at) => {
        if (at.includes('%2F7.txt')) return gone
        return at.includes('%2F8.txt') ? failing : 'pass'
      },
    })
    const { transferId } = await copy('tree')
    expect(await until(ended)).toMatchObject({ state: 'failed', filesDone: 10, filesFailed: 2 })
    expect((await failed(transferId)).map(({ path: at, problem }) => [at, problem?.code])).toEqual([
      ['tree/1/7.txt', 'not-found'],
      ['tree/2/8.txt', 'service-failed'],
    ])
    expect((await hashes(there.folder)).size).toBe(10)
  })

  it('come on over a line that breaks again and again between them', async () => {
    await fill(40)
    let reads = 0
    const { copy, until } = await open({
      from: (_, at) =>
        at.startsWith('/servers/files/content/') && ++reads % 7 === 0 ? 'cut-answer' : 'pass',
    })
    await copy('tree')
    expect(await until(ended)).toMatchObject({ state: 'done', filesDone: 40 })
    await sameAsSource()
  })

  it('are brought as they are now where they became others since the folder was read', async () => {
    await fill(6)
    const file = path.join(here.folder, 'tree/1/4.txt')
    let changed = false
    const { copy, until } = await open({
      from: async (_, at): Promise<RequestFault> => {
        if (at.startsWith('/servers/files/content/') && !changed) {
          changed = true
          await writeFile(file, 'longer than it was when the folder was read, and so another file')
        }
        return 'pass'
      },
    })
    await copy('tree')
    expect(await until(ended)).toMatchObject({ state: 'done', filesDone: 6 })
    await sameAsSource()
    expect(await readFile(path.join(there.folder, 'tree/1/4.txt'), 'utf8')).toMatch(/^longer/)
  })

  it('of one name from two folders are not taken for one another', async () => {
    await put(here.folder, 'a/same.txt', 10)
    await put(here.folder, 'b/same.txt', 20)
    const { room, copy, until } = await open()
    const { transferId } = await copy('a/same.txt', 'b/same.txt')
    const { asking } = await until((one) => one.state === 'asking' && one.filesDone === 1 && !!one.asking)
    const itemId = asking?.itemId ?? ''
    await room.answer({ transferId, itemId, choice: 'keep-both', forAll: false })
    expect(await until(ended)).toMatchObject({ state: 'done', filesDone: 2 })
    const sizes = (await readdir(there.folder)).map(
      async (name) => (await stat(path.join(there.folder, name))).size,
    )
    expect((await Promise.all(sizes)).toSorted()).toEqual([10, 20])
  })
})
