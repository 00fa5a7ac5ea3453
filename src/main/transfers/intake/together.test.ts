import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { hindered } from '../line.fixture.ts'
import { openRoom, startTarget, type Target } from '../transfers.fixture.ts'

const PAGE = 'page'
const SIZES = [700, 0, 70_000, 1, 300_000, 0]
const whole = randomBytes(SIZES.reduce((sum, size) => sum + size, 0))
const timeOf = (at: number) => 1_600_000_000_123 + at * 1000

let target: Target
let line: Record<string, { baseUrl: string; token: string }>
let fate: Parameters<typeof hindered>[1]
beforeEach(async () => {
  target = await startTarget()
  fate = () => 'pass'
  const { baseUrl } = await hindered(target.service.baseUrl, (...given) => fate(...given))
  line = { here: { baseUrl, token: target.token } }
})

/** A queue whose page has announced these files and has not sent them. */
async function announced(dataDir?: string) {
  const opened = await openRoom(line, dataDir === undefined ? {} : { dataDir })
  const { spool } = opened.room
  spool.pageCame(PAGE)
  const to = { connectionId: 'here', serverId: target.serverId, folder: '' }
  const files = SIZES.map((size, at) => ({ path: `tree/${at}.dat`, size, modifiedAt: timeOf(at) }))
  const { transferId, itemIds } = await spool.announce({ to, page: PAGE, folders: [], files })
  const send = () => spool.receive(transferId, itemIds, Readable.from([Buffer.from(whole)]))
  return { ...opened, transferId, send }
}

async function allArrived(): Promise<void> {
  let at = 0
  for (const [index, size] of SIZES.entries()) {
    const content = await readFile(path.join(target.folder, `tree/${index}.dat`))
    expect(content.equals(whole.subarray(at, (at += size)))).toBe(true)
  }
}

describe('files that a page sends in one request', () => {
  it('lie in one file until they are sent, and arrive each with its bytes and its time', async () => {
    const { room, transferId, send, until, folder } = await announced()
    await room.pause(transferId)
    expect(await send()).toEqual({ ok: true, value: null })
    expect(await readdir(path.join(folder, 'spool', transferId))).toHaveLength(1)
    await room.resume(transferId)
    expect(await until(({ endedAt }) => endedAt !== null)).toMatchObject({ state: 'done', filesFailed: 0 })
    await allArrived()
    for (const at of SIZES.keys())
      expect(Math.trunc((await stat(path.join(target.folder, `tree/${at}.dat`))).mtimeMs)).toBe(timeOf(at))
  })

  it.each(['tus', 'forms'])('arrive by %s where the service takes no batches', async (way) => {
    const seen = new Set<string>()
    fate = (method, at, { headers }) => {
      if (at.startsWith('/servers/files/batch/')) return { status: 501, body: '{}' }
      if (way === 'forms' && at.startsWith('/servers/files/limits/')) return { status: 404, body: '{}' }
      if (!at.startsWith('/servers/files/upload/')) return 'pass'
      const isTus = headers['tus-resumable'] !== undefined
      // What a service without tus says to a creation: this is no form.
      if (isTus && way === 'forms') return { status: 415, body: '{}' }
      if (method === 'POST') seen.add(isTus ? 'tus' : 'forms')
      return 'pass'
    }
    const { send, until } = await announced()
    await send()
    expect(await until(({ endedAt }) => endedAt !== null)).toMatchObject({ state: 'done', filesFailed: 0 })
    expect([...seen]).toEqual([way])
    await allArrived()
  })

  it('are there for a second try', async () => {
    let refused = 0
    fate = (_, at) => {
      if (!at.startsWith('/servers/files/batch/') || refused++ > 0) return 'pass'
      return { status: 422, body: '{"error":{"code":"files.refused","message":"Not now."}}' }
    }
    const { room, transferId, send, until } = await announced()
    await send()
    expect(await until(({ endedAt }) => endedAt !== null)).toMatchObject({ state: 'failed' })
    await room.retry(transferId)
    expect(await until(({ state, endedAt }) => endedAt !== null && state !== 'failed')).toMatchObject({
      state: 'done',
    })
    await allArrived()
  })

  it('arrive also where the panel ended before it had sent any of them', async () => {
    const first = await announced()
    await first.room.pause(first.transferId)
    await first.send()
    await first.close()
    const { room, until } = await openRoom(line, { dataDir: first.folder })
    await room.resume(first.transferId)
    expect(await until(({ endedAt }) => endedAt !== null)).toMatchObject({ state: 'done', filesFailed: 0 })
    await allArrived()
  })
})
