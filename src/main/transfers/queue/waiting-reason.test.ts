import { beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../base/retry.ts'
import { type RequestFault, hindered } from '../line.fixture.ts'
import { openRoom, put, startTarget, type Target, temporary } from '../transfers.fixture.ts'

const MIB = 1024 * 1024
const ended = ({ endedAt }: { endedAt: string | null }) => endedAt !== null
const stopping: RequestFault = {
  status: 503,
  headers: { 'retry-after': '30' },
  body: '{"error":{"code":"service.stopping","message":"The service is stopping."}}',
}

let target: Target
beforeEach(async () => {
  target = await startTarget()
})

const to = () => ({ connectionId: 'here', serverId: target.serverId, folder: '' })

/** A queue in front of a service that is stopping until it `runs`; `clock` is the computer's. */
async function open(clock: { now: number } | null = null) {
  const service = { runs: false }
  const gate = Promise.withResolvers<void>()
  const { baseUrl } = await hindered(target.service.baseUrl, async (method): Promise<RequestFault> => {
    if (!service.runs && method !== 'GET') return stopping
    if (method === 'PATCH') await gate.promise
    return 'pass'
  })
  const opened = await openRoom(
    { here: { baseUrl, token: target.token } },
    clock ? { clock: { ...systemClock, elapsed: () => clock.now } } : {},
  )
  await opened.room.limit({ limit: null, atOnce: 1 })
  const source = await temporary()
  const upload = async (name: string) => {
    const files = [{ path: name, file: await put(source, name, 2 * MIB) }]
    return (await opened.room.upload({ to: to(), files, folders: [] })).transferId
  }
  return { ...opened, service, upload, release: gate.resolve }
}

it('what waited for a service that was stopping goes on at once when it runs again, without the old reason', async () => {
  const { room, service, upload, until, release } = await open()
  await upload('a.bin')
  expect(await until((one) => one.state === 'waiting' && one.problem !== null)).toMatchObject({
    problem: { message: 'The service is stopping.' },
  })
  service.runs = true
  room.reached('here')
  expect(await until((one) => one.state === 'running')).toMatchObject({ problem: null, bytesDone: 0 })
  release()
  expect(await until(ended)).toMatchObject({ state: 'done', problem: null })
})

it('a transfer that only waits for its turn tells no reason of before', async () => {
  const clock = { now: Date.now() }
  const { room, service, upload, until, release } = await open(clock)
  const first = await upload('a.bin')
  const second = await upload('b.bin')
  for (const id of [first, second]) await until((one) => one.id === id && one.problem !== null)
  service.runs = true
  // Its waiting is over, and the other one is being moved.
  clock.now += 60_000
  await room.resume(first)
  await until((one) => one.id === first && one.state === 'running')
  expect(await until((one) => one.id === second)).toMatchObject({ state: 'waiting', problem: null })
  release()
  for (const id of [first, second])
    expect(await until((one) => one.id === id && ended(one))).toMatchObject({ state: 'done' })
})

it('a service that asked to be left alone for a while is, also when it is reached', async () => {
  let asked = 0
  const { baseUrl } = await hindered(target.service.baseUrl, (method): RequestFault => {
    if (method !== 'POST') return 'pass'
    asked++
    return { status: 429, headers: { 'retry-after': '30' }, body: '{}' }
  })
  const { room, until } = await openRoom({ here: { baseUrl, token: target.token } })
  const file = await put(await temporary(), 'a.bin', 2 * MIB)
  await room.upload({ to: to(), files: [{ path: 'a.bin', file }], folders: [] })
  await until((one) => one.problem !== null)
  room.reached('here')
  await room.list()
  expect(await until((one) => one.problem !== null)).toMatchObject({ problem: { code: 'rate-limited' } })
  expect(asked).toBe(1)
})

it('waits an hour at most, however long a service that is busy with the upload asks for', async () => {
  const { baseUrl } = await hindered(target.service.baseUrl, (method): RequestFault =>
    method === 'PATCH' ? { status: 423, headers: { 'retry-after': '99999999999' }, body: '{}' } : 'pass',
  )
  const { room, until } = await openRoom({ here: { baseUrl, token: target.token } })
  const files = [{ path: 'a.bin', file: await put(await temporary(), 'a.bin', 2 * MIB) }]
  await room.upload({ to: to(), files, folders: [] })
  const waiting = await until((one) => one.state === 'waiting' && one.problem !== null)
  expect(waiting.problem).toMatchObject({ code: 'rate-limited', retryAfter: 3600 })
})

it('waits ten minutes for a server that is busy, or until it settled, and other servers wake nothing', async () => {
  const clock = { now: 0 }
  let asked = 0
  const busy = { isBusy: true }
  const { baseUrl } = await hindered(target.service.baseUrl, (method): RequestFault => {
    if (method !== 'POST' || !busy.isBusy) return 'pass'
    asked++
    return { status: 423, headers: { 'retry-after': '120' }, body: '{"error":{"code":"x.busy"}}' }
  })
  const { room, until } = await openRoom(
    { here: { baseUrl, token: target.token } },
    { clock: { ...systemClock, elapsed: () => clock.now } },
  )
  const file = await put(await temporary(), 'a.bin', 2 * MIB)
  const upload = async () =>
    (await room.upload({ to: to(), files: [{ path: 'a.bin', file }], folders: [] })).transferId
  const first = await upload()
  for (let tries = 1; tries < 6; tries++) {
    await expect.poll(() => asked).toBe(tries)
    await until((one) => one.id === first && one.state === 'waiting' && one.problem !== null)
    clock.now += 121_000
    await room.resume(first)
  }
  expect(await until(ended)).toMatchObject({ state: 'failed', filesFailed: 1 })
  expect(asked).toBe(6)

  const second = await upload()
  await until((one) => one.id === second && one.state === 'waiting' && one.problem !== null)
  room.settled({ connectionId: 'here', serverId: 'another' })
  await room.list()
  expect(asked).toBe(7)
  busy.isBusy = false
  room.settled({ connectionId: 'here', serverId: target.serverId })
  expect(await until((one) => one.id === second && ended(one))).toMatchObject({ state: 'done', filesDone: 1 })
})
