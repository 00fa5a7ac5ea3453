import { appendFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type RequestFault, hindered } from '../line.fixture.ts'
import { hashes, openRoom, put, startTarget, type Target, temporary } from '../transfers.fixture.ts'

const MIB = 1024 * 1024
/** More faults than an item survives where nothing moves in between. */
const FAULTS = 8
const ended = ({ endedAt }: { endedAt: string | null }) => endedAt !== null
const failing: RequestFault = { status: 503, headers: { 'retry-after': '0' }, body: '{}' }

let here: Target
let there: Target
beforeEach(async () => {
  ;[here, there] = await Promise.all([startTarget(), startTarget()])
})

const to = () => ({ connectionId: 'there', serverId: there.serverId, folder: '' })
const from = () => ({ connectionId: 'here', serverId: here.serverId })

/** A queue between two services. */
async function open(fates: { from?: Parameters<typeof hindered>[1]; to?: Parameters<typeof hindered>[1] }) {
  const pass = (): RequestFault => 'pass'
  const left = await hindered(here.service.baseUrl, fates.from ?? pass)
  const right = await hindered(there.service.baseUrl, fates.to ?? pass)
  return openRoom({
    here: { baseUrl: left.baseUrl, token: here.token },
    there: { baseUrl: right.baseUrl, token: there.token },
  })
}

/** Fails every other time, so often as is said. */
const everyOther = (most: number) => {
  let [asked, failed] = [0, 0]
  return {
    fate: () => (failed < most && ++asked % 2 === 0 && ++failed > 0 ? failing : 'pass'),
    failed: () => failed,
  }
}

describe('a service that fails again and again', () => {
  it('fails no upload of which it took more bytes each time', async () => {
    const { fate, failed } = everyOther(FAULTS)
    const { room, until } = await open({ to: (method) => (method === 'PATCH' ? fate() : 'pass') })
    const file = await put(await temporary(), 'big.bin', (FAULTS + 3) * MIB)
    await room.upload({ to: to(), files: [{ path: 'big.bin', file }], folders: [] })
    expect(await until(ended)).toMatchObject({ state: 'done', filesDone: 1 })
    expect(failed()).toBe(FAULTS)
  })

  it('fails an upload of which it takes nothing more', async () => {
    let failed = 0
    const { room, until } = await open({
      to: (method) => (method === 'PATCH' && ++failed > 1 ? failing : 'pass'),
    })
    const file = await put(await temporary(), 'big.bin', 3 * MIB)
    const { transferId } = await room.upload({ to: to(), files: [{ path: 'big.bin', file }], folders: [] })
    expect(await until(ended)).toMatchObject({ state: 'failed', filesFailed: 1, bytesDone: MIB })
    expect(failed).toBe(7)
    // Somebody who tries it again gives it as many tries again.
    await room.retry(transferId)
    expect(await until((one) => ended(one) && failed > 7)).toMatchObject({ state: 'failed' })
    expect(failed).toBe(13)
  })

  it('fails no file of a batch while others of it end well each time', async () => {
    let batches = 0
    const { room, until } = await open({
      // It takes some of a batch, and says nothing of the rest.
      to: (_, at) => {
        if (!at.startsWith('/servers/files/batch/')) return 'pass'
        const results = [{ path: `${batches++}.txt`, outcome: 'done' }]
        return { status: 200, body: JSON.stringify({ results }) }
      },
    })
    const files = []
    const folder = await temporary()
    for (let n = 0; n < FAULTS; n++)
      files.push({ path: `${n}.txt`, file: await put(folder, `${n}.txt`, 100) })
    await room.upload({ to: to(), files, folders: [] })
    expect(await until(ended)).toMatchObject({ state: 'done', filesDone: FAULTS })
    expect(batches).toBe(FAULTS)
  })

  /** A file that comes in parts, with more faults in between than a file survives that does not come further. */
  async function inParts() {
    await writeFile(path.join(here.folder, 'big.bin'), 'x'.repeat(10_000))
    const address = `${here.service.baseUrl}/servers/files/content/${here.serverId}?path=big.bin`
    const read = await fetch(address, { headers: { authorization: `Bearer ${here.token}` } })
    await read.text()
    const etag = read.headers.get('etag') ?? ''
    let [answers, failures] = [0, 0]
    const fate: Parameters<typeof hindered>[1] = (_, at, { headers }): RequestFault => {
      if (!at.startsWith('/servers/files/content/') || failures >= 3 * FAULTS) return 'pass'
      // A reading is tried three times by itself before it counts as one that failed.
      if (answers++ % 4 > 0) return ++failures > 0 ? failing : 'pass'
      const begin = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
      const part = { etag, 'content-range': `bytes ${begin}-9999/10000` }
      return { status: begin > 0 ? 206 : 200, headers: begin > 0 ? part : { etag }, body: 'x'.repeat(500) }
    }
    return { fate, failures: () => failures }
  }

  it('fails no download of which it gave more each time', async () => {
    const { fate, failures } = await inParts()
    const { room, until, downloads } = await open({ from: fate })
    await room.download({ ...from(), paths: ['big.bin'] })
    expect(await until(ended)).toMatchObject({ state: 'done', filesDone: 1 })
    expect(failures()).toBe(3 * FAULTS)
    expect(await hashes(downloads)).toEqual(await hashes(here.folder))
  })

  it('fails no copy that is fetched whole before it is sent, while it gives more each time', async () => {
    const { fate, failures } = await inParts()
    const none = { status: 405, body: '{"error":{"code":"route.wrong-method","message":"Not here."}}' }
    const { room, until } = await open({
      from: fate,
      to: (_, at, { headers }) => {
        if (at.startsWith('/servers/files/limits/')) return { ...none, status: 501 }
        return at.startsWith('/servers/files/upload/') && 'tus-resumable' in headers ? none : 'pass'
      },
    })
    await room.copy({ from: from(), paths: ['big.bin'], to: to() })
    expect(await until(ended)).toMatchObject({ state: 'done', filesDone: 1 })
    expect(failures()).toBe(3 * FAULTS)
    expect(await hashes(there.folder)).toEqual(await hashes(here.folder))
  })
})

it('a file that keeps changing is given up, however much of it was taken each time', async () => {
  const folder = await temporary()
  const file = await put(folder, 'grows.log', 2 * MIB)
  let creations = 0
  const { room, until } = await open({
    to: async (method, at): Promise<RequestFault> => {
      if (method === 'POST' && at.startsWith('/servers/files/upload/')) creations++
      if (method === 'PATCH') await appendFile(file, 'more')
      return 'pass'
    },
  })
  await room.upload({ to: to(), files: [{ path: 'grows.log', file }], folders: [] })
  expect(await until(ended)).toMatchObject({ state: 'failed', filesFailed: 1 })
  expect(creations).toBeLessThan(8)
})
