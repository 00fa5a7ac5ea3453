import { execFileSync } from 'node:child_process'
import type { IncomingMessage } from 'node:http'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type RequestFault, hindered } from '../line.fixture.ts'
import { hashes, openRoom, put, startTarget, type Target, temporary } from '../transfers.fixture.ts'

const MIB = 1024 * 1024
const ended = ({ endedAt }: { endedAt: string | null }) => endedAt !== null
const isForm = ({ headers }: IncomingMessage) =>
  headers['content-type']?.startsWith('multipart/form-data') === true

let here: Target
let there: Target
beforeEach(async () => {
  ;[here, there] = await Promise.all([startTarget(), startTarget()])
})

/** Two services, of which the second knows no tus. `fate`: what becomes of a form. */
async function open(options: Parameters<typeof openRoom>[1] = {}, fate: () => RequestFault = () => 'pass') {
  const ranges: (string | undefined)[] = []
  const source = await hindered(here.service.baseUrl, (_, at, { headers }) => {
    if (at.startsWith('/servers/files/content/')) ranges.push(headers.range)
    return 'pass'
  })
  const target = await hindered(there.service.baseUrl, (_, at, incoming) => {
    const none = { status: 405, body: '{"error":{"code":"route.wrong-method","message":"Not here."}}' }
    if (at.startsWith('/servers/files/limits/')) return { ...none, status: 501 }
    if (!at.startsWith('/servers/files/upload/')) return 'pass'
    return isForm(incoming) ? fate() : none
  })
  const opened = await openRoom(
    {
      here: { baseUrl: source.baseUrl, token: here.token },
      there: { baseUrl: target.baseUrl, token: there.token },
    },
    options,
  )
  const spool = path.join(opened.folder, 'spool')
  return {
    ...opened,
    /** What was asked of the source, file by file. */
    ranges,
    /** Bytes that wait on this computer, by file. */
    waiting: async () => {
      const entries = await readdir(spool, { recursive: true, withFileTypes: true }).catch(() => [])
      const files = entries.filter((entry) => entry.isFile())
      return Promise.all(
        files.map(async ({ parentPath, name }) => (await stat(path.join(parentPath, name))).size),
      )
    },
    copy: (...paths: string[]) =>
      opened.room.copy({
        from: { connectionId: 'here', serverId: here.serverId },
        paths,
        to: { connectionId: 'there', serverId: there.serverId, folder: '' },
      }),
  }
}

describe('a copy to a service without tus', () => {
  it('brings files of every size, and nothing of them stays on this computer', async () => {
    await put(here.folder, 'world/large.mca', 20 * MIB)
    await put(here.folder, 'world/small.dat', 10)
    await put(here.folder, 'world/empty', 0)
    const opened = await open()
    await opened.copy('world')
    expect(await opened.until(ended)).toMatchObject({ state: 'done', filesDone: 3, bytesDone: 20 * MIB + 10 })
    expect(await hashes(there.folder)).toEqual(await hashes(here.folder))
    await expect.poll(opened.waiting).toEqual([])
  })

  it('goes on with what was fetched after the panel was closed', async () => {
    await put(here.folder, 'large.mca', 12 * MIB)
    const first = await open()
    await first.room.limit({ limit: 8 * MIB, atOnce: 1 })
    await first.copy('large.mca')
    await expect.poll(async () => (await first.waiting())[0] ?? 0).toBeGreaterThan(MIB)
    // Nothing of it is where it has to be yet.
    expect((await first.room.list()).items[0]?.bytesDone).toBe(0)
    await first.close()
    const [begun = 0] = await first.waiting()
    expect(begun).toBeLessThan(12 * MIB)
    const second = await open({ dataDir: first.folder })
    await second.room.limit({ limit: null, atOnce: 1 })
    expect(await second.until(ended)).toMatchObject({ state: 'done', filesDone: 1 })
    expect(second.ranges).toEqual([`bytes=${begun}-`])
    expect(await hashes(there.folder)).toEqual(await hashes(here.folder))
    await expect.poll(second.waiting).toEqual([])
  })

  it('begins anew where the file became another one while it was fetched', async () => {
    const file = await put(here.folder, 'large.mca', 12 * MIB)
    const opened = await open()
    await opened.room.limit({ limit: 8 * MIB, atOnce: 1 })
    const { transferId } = await opened.copy('large.mca')
    await expect.poll(async () => (await opened.waiting())[0] ?? 0).toBeGreaterThan(MIB)
    await opened.room.pause(transferId)
    await writeFile(file, 'another one')
    await opened.room.limit({ limit: null, atOnce: 1 })
    await opened.room.resume(transferId)
    expect(await opened.until(ended)).toMatchObject({ state: 'done', bytesDone: 11 })
    expect(await hashes(there.folder)).toEqual(await hashes(here.folder))
  })

  it('that is canceled leaves nothing behind, here or there', async () => {
    await put(here.folder, 'large.mca', 12 * MIB)
    const opened = await open()
    await opened.room.limit({ limit: 4 * MIB, atOnce: 1 })
    const { transferId } = await opened.copy('large.mca')
    await expect.poll(async () => (await opened.waiting())[0] ?? 0).toBeGreaterThan(0)
    await opened.room.cancel(transferId)
    expect(await opened.waiting()).toEqual([])
    expect(await readdir(there.folder)).toEqual([])
  })

  it('that is refused leaves nothing behind, and keeps what it has while it asks', async () => {
    await put(here.folder, 'large.mca', 9 * MIB)
    await put(there.folder, 'large.mca', 10)
    let refuses = false
    const refused = { status: 422, body: '{"error":{"code":"files.denied","message":"Not this one."}}' }
    const opened = await open({}, () => (refuses ? refused : 'pass'))
    const { transferId } = await opened.copy('large.mca')
    const { asking } = await opened.until((one) => one.state === 'asking' && one.asking !== null)
    expect(await opened.waiting()).toEqual([9 * MIB])
    refuses = true
    const answer = { transferId, itemId: asking?.itemId ?? '', choice: 'replace' as const, forAll: false }
    await opened.room.answer(answer)
    expect(await opened.until(ended)).toMatchObject({ state: 'failed' })
    expect(opened.ranges).toEqual([undefined])
    await expect.poll(opened.waiting).toEqual([])
  })

  it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'that finds no room on this computer says so before the first byte',
    async () => {
      await put(here.folder, 'large.mca', 20 * MIB)
      const disk = await temporary()
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk])
      onTestFinished(() => void execFileSync('umount', ['-l', disk]))
      await mkdir(path.join(disk, 'data'))
      const opened = await open({ dataDir: path.join(disk, 'data') })
      const { transferId } = await opened.copy('large.mca')
      expect(await opened.until(ended)).toMatchObject({ state: 'failed' })
      const { items } = await opened.room.items({ transferId, only: 'failed', offset: 0, limit: 9 })
      expect(items[0]?.problem).toMatchObject({ code: 'too-large', serviceCode: 'computer.disk-full' })
      expect(items[0]?.problem?.message).toMatch(/needs 20 MB, and \d.*Free up space/)
      expect(opened.ranges).toEqual([])
      expect(await opened.waiting()).toEqual([])
      await opened.close()
    },
  )
})
