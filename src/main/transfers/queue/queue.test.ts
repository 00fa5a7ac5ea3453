import { readdir } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { CuttableLine } from '../../../../tests/fixtures/cuttable-line.ts'
import { systemClock, type Clock } from '../../base/retry.ts'
import { type RequestFault, hindered } from '../line.fixture.ts'
import { hashes, openRoom, put, startTarget, type Target, temporary } from '../transfers.fixture.ts'

const MIB = 1024 * 1024
const HOUR = 60 * 60 * 1000
const ended = ({ endedAt }: { endedAt: string | null }) => endedAt !== null

let target: Target
let source: string
beforeEach(async () => {
  target = await startTarget()
  source = await temporary()
})

const to = () => ({ connectionId: 'here', serverId: target.serverId, folder: '' })

it('two files move at a time by default, and no third one', async () => {
  const sending = new Set<unknown>()
  let most = 0
  const two = Promise.withResolvers<void>()
  const { baseUrl } = await hindered(
    target.service.baseUrl,
    async (method, _, request): Promise<RequestFault> => {
      if (method !== 'PATCH') return 'pass'
      sending.add(request)
      request.once('close', () => sending.delete(request))
      most = Math.max(most, sending.size)
      if (sending.size === 2) two.resolve()
      // The first is held until there is a second.
      await two.promise
      return 'pass'
    },
  )
  const { room, until } = await openRoom({ here: { baseUrl, token: target.token } })
  expect((await room.list()).atOnce).toBe(2)
  const files = []
  for (let n = 0; n < 8; n++) files.push({ path: `${n}.bin`, file: await put(source, `${n}.bin`, 2 * MIB) })
  const { transferId } = await room.upload({ to: to(), files, folders: [] })
  await two.promise
  const { items } = await room.items({ transferId, only: 'all', offset: 0, limit: 9 })
  expect(items.filter(({ state }) => state === 'running').length).toBeLessThanOrEqual(2)
  expect(await until(ended)).toMatchObject({ state: 'done', filesDone: 8 })
  expect(most).toBe(2)
  expect(await hashes(target.folder)).toEqual(await hashes(source))
})

describe('after the computer slept', () => {
  /** An upload whose connection was reset, as a sleep does; `clock` is the computer's. */
  async function asleep(clock: Partial<Clock>) {
    const { port } = new URL(target.service.baseUrl)
    const line = await CuttableLine.to('127.0.0.1', Number(port))
    const baseUrl = target.service.baseUrl.replace(`:${port}`, `:${line.port}`)
    const opened = await openRoom(
      { here: { baseUrl, token: target.token } },
      { clock: { ...systemClock, ...clock } },
    )
    await opened.room.limit({ limit: 8 * MIB, atOnce: 2 })
    const files = [{ path: 'big.bin', file: await put(source, 'big.bin', 24 * MIB) }]
    await opened.room.upload({ to: to(), files, folders: [] })
    await opened.until((one) => one.bytesDone > 0)
    await line.cut()
    await opened.until((one) => one.state === 'offline')
    expect(await readdir(target.folder)).not.toContain('big.bin')
    await line.mend()
    await opened.room.limit({ limit: null, atOnce: 2 })
    return opened
  }

  it('the queue goes on at once, however long it would have waited for the service', async () => {
    // A clock that stands: whatever waits for a time waits for ever.
    const { room, until, told } = await asleep({ elapsed: () => 1 })
    room.reached(null)
    expect(await until(ended)).toMatchObject({ state: 'done', filesDone: 1 })
    expect(await hashes(target.folder)).toEqual(await hashes(source))
    const bytes = told.map(({ items }) => items[0]?.bytesDone ?? 0)
    expect(bytes).toEqual(bytes.toSorted((a, b) => a - b))
  })

  it('the queue goes on by itself where the clock was set back by a month', async () => {
    let back = 0
    const { until } = await asleep({ now: () => Date.now() - back })
    back = 30 * 24 * HOUR
    expect(await until(ended)).toMatchObject({ state: 'done', filesDone: 1 })
    expect(await hashes(target.folder)).toEqual(await hashes(source))
  })

  it('the queue goes on by itself where the clock jumped eight hours ahead', async () => {
    let slept = 0
    const { until } = await asleep({ now: () => Date.now() + slept })
    slept = 8 * HOUR
    const done = await until(ended)
    expect(done).toMatchObject({ state: 'done', filesDone: 1 })
    expect(Date.parse(done.endedAt ?? '') - Date.parse(done.createdAt)).toBeGreaterThan(7 * HOUR)
    expect(await hashes(target.folder)).toEqual(await hashes(source))
  })
})

it('the order can be changed between the same two as often as one likes', async () => {
  const { room } = await openRoom({ here: { baseUrl: target.service.baseUrl, token: target.token } })
  const order = async () => (await room.list()).items.map(({ id }) => id)
  for (const name of ['a', 'b', 'c']) {
    const files = [{ path: name, file: await put(source, name, 10) }]
    const { transferId } = await room.upload({ to: to(), files, folders: [] })
    await room.pause(transferId)
  }
  for (let times = 0; times < 70; times++) {
    const [first, second, third] = await order()
    await room.reorder({ transferId: first!, before: third! })
    expect(await order()).toEqual([second, first, third])
  }
})
