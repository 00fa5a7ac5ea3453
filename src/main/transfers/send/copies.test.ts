import { readdir, writeFile } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { CuttableLine } from '../../../../tests/fixtures/cuttable-line.ts'
import { hindered } from '../line.fixture.ts'
import {
  hashes,
  type TransfersFixture,
  openRoom,
  put,
  startTarget,
  type Target,
} from '../transfers.fixture.ts'

const MIB = 1024 * 1024
const ended = ({ endedAt }: { endedAt: string | null }) => endedAt !== null

let here: Target
let there: Target
beforeEach(async () => {
  ;[here, there] = await Promise.all([startTarget(), startTarget()])
})

/** Lines to both services; that of either may lead by way of something that goes wrong. */
const lines = (from = here.service.baseUrl, to = there.service.baseUrl) => ({
  here: { baseUrl: from, token: here.token },
  there: { baseUrl: to, token: there.token },
})

/** A copy of `big.bin` that has come some of its way; the limit is off again with `hurry`. */
async function begin(opened: TransfersFixture, bytes: number) {
  await opened.room.limit({ limit: 4 * MIB, atOnce: 2 })
  const { transferId } = await opened.room.copy({
    from: { connectionId: 'here', serverId: here.serverId },
    paths: ['big.bin'],
    to: { connectionId: 'there', serverId: there.serverId, folder: '' },
  })
  await opened.until((one) => one.bytesDone > bytes)
  return transferId
}
const hurry = ({ room }: TransfersFixture) => room.limit({ limit: null, atOnce: 2 })

/** It arrived once and whole. */
async function expectCopied(): Promise<void> {
  expect((await readdir(there.folder)).filter((name) => name.startsWith('big'))).toEqual(['big.bin'])
  expect(await hashes(there.folder)).toEqual(await hashes(here.folder))
}

describe('a copy between services arrives once and whole', () => {
  it.each(['from', 'to'])('where the connection it goes %s is cut in the middle', async (which) => {
    const service = new URL(which === 'from' ? here.service.baseUrl : there.service.baseUrl)
    const line = await CuttableLine.to('127.0.0.1', Number(service.port))
    const cuttable = `http://127.0.0.1:${line.port}${service.pathname}`
    const opened = await openRoom(which === 'from' ? lines(cuttable) : lines(undefined, cuttable))
    await put(here.folder, 'big.bin', 12 * MIB)
    await begin(opened, 2 * MIB)
    await line.cut()
    await opened.until((one) => one.state === 'offline')
    expect(await readdir(there.folder)).not.toContain('big.bin')
    await line.mend()
    await hurry(opened)
    expect(await opened.until(ended)).toMatchObject({ state: 'done', filesDone: 1, bytesDone: 12 * MIB })
    await expectCopied()
    await line.cut()
  })

  it('where answers are lost and the panel is closed in the middle', async () => {
    let pieces = 0
    const { baseUrl } = await hindered(there.service.baseUrl, (method) =>
      method === 'PATCH' && ++pieces % 2 === 1 && pieces < 6 ? 'lose-answer' : 'pass',
    )
    await put(here.folder, 'big.bin', 16 * MIB)
    const first = await openRoom(lines(undefined, baseUrl))
    await begin(first, 4 * MIB)
    await first.close()
    expect(await readdir(there.folder)).not.toContain('big.bin')
    const second = await openRoom(lines(undefined, baseUrl), { dataDir: first.folder })
    await hurry(second)
    expect(await second.until(ended)).toMatchObject({ state: 'done', filesDone: 1 })
    expect(pieces).toBeGreaterThan(2)
    await expectCopied()
  })

  it('where a piece breaks off in its middle, and nothing is read twice', async () => {
    let [pieces, reads] = [0, 0]
    const from = await hindered(here.service.baseUrl, (_, at) => {
      if (at.startsWith('/servers/files/content/')) reads++
      return 'pass'
    })
    const to = await hindered(there.service.baseUrl, (method) =>
      method === 'PATCH' && ++pieces === 3 ? 'cut-request' : 'pass',
    )
    await put(here.folder, 'big.bin', 12 * MIB)
    const opened = await openRoom(lines(from.baseUrl, to.baseUrl))
    await begin(opened, 0)
    await hurry(opened)
    expect(await opened.until(ended)).toMatchObject({ state: 'done', filesFailed: 0, bytesDone: 12 * MIB })
    await expectCopied()
    expect([pieces > 3, reads]).toEqual([true, 1])
  })

  it('where its source becomes another file in the middle', async () => {
    const file = await put(here.folder, 'big.bin', 12 * MIB)
    const opened = await openRoom(lines())
    const transferId = await begin(opened, 2 * MIB)
    await opened.room.pause(transferId)
    await writeFile(file, Buffer.alloc(10 * MIB, 7))
    await hurry(opened)
    await opened.room.resume(transferId)
    expect(await opened.until(ended)).toMatchObject({ state: 'done', bytesDone: 10 * MIB })
    await expectCopied()
  })

  it('where the service it goes to has lost the last pieces', async () => {
    let forgotten = false
    const { baseUrl } = await hindered(there.service.baseUrl, (method) => {
      const forgets = method === 'PATCH' && forgotten
      forgotten &&= !forgets
      return forgets ? { status: 404, body: '' } : 'pass'
    })
    await put(here.folder, 'big.bin', 12 * MIB)
    const opened = await openRoom(lines(undefined, baseUrl))
    await begin(opened, 2 * MIB)
    forgotten = true
    await hurry(opened)
    expect(await opened.until(ended)).toMatchObject({ state: 'done', bytesDone: 12 * MIB })
    expect(forgotten).toBe(false)
    await expectCopied()
  })
})

it('a copy that is told to stop leaves nothing where it was to go', async () => {
  await put(here.folder, 'big.bin', 12 * MIB)
  const opened = await openRoom(lines())
  const transferId = await begin(opened, 2 * MIB)
  await opened.room.cancel(transferId)
  expect(await opened.until(ended)).toMatchObject({ state: 'cancelled' })
  expect(await readdir(there.folder)).toEqual([])
})
