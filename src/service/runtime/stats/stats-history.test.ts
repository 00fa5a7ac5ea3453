import { expect, test } from 'vitest'
import { heldClock } from '../../service.fixture.ts'
import { Listeners } from '../../base/change.ts'
import { addServer, used } from '../../store/used-folder.fixture.ts'
import type { RuntimeStatusInput } from '../types.ts'
import { StatsRecorder, type UseSample } from './stats-history.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const START = Date.UTC(2026, 0, 1)
const log = { warn: () => {} }

/** A recorder over the data folder of a service; `restart` closes it, and opens another. */
async function recorder() {
  const { open } = await used()
  const clock = heldClock(START)
  const stats = new Listeners<{ id: string; sample: UseSample }>()
  const status = new Listeners<{ id: string; status: RuntimeStatusInput }>()
  const runtime = {
    onStats: (heard: (id: string, sample: UseSample) => void) =>
      stats.on(({ id, sample }) => heard(id, sample)),
    onStatus: (heard: (id: string, status: RuntimeStatusInput) => void) =>
      status.on(({ id, status }) => heard(id, status)),
  }
  let store = await open()
  let made = new StatsRecorder({ store, runtime, clock, log })
  return {
    clock,
    use: (sample: Partial<UseSample> = {}, id = 'one') =>
      stats.tell({ id, sample: { cpu: 10, memory: 1000, players: 0, ...sample } }),
    becomes: (word: RuntimeStatusInput['status'], id = 'one') =>
      status.tell({ id, status: { status: word } }),
    read: (range: 'hour' | 'day' | 'week', id = 'one') => made.read(id, range),
    store: () => store,
    async restart() {
      made.close()
      await store.close()
      store = await open()
      made = new StatsRecorder({ store, runtime, clock, log })
    },
  }
}

test('keeps means and peaks per minute, and joins them for a day and a week', async () => {
  const it = await recorder()
  it.use({ cpu: 10, memory: 1000, players: 1 })
  it.use({ cpu: 20, memory: 3000, players: 4 })
  it.clock.forward(MINUTE)
  it.use({ cpu: 60, memory: 2000, players: 2 })
  const at = new Date(START).toISOString()
  expect(it.read('hour')).toEqual({
    points: [
      { at, cpuPercent: 15, cpuPercentMost: 20, memoryBytes: 2000, memoryBytesMost: 3000, playersMost: 4 },
      {
        at: new Date(START + MINUTE).toISOString(),
        ...{ cpuPercent: 60, cpuPercentMost: 60, memoryBytes: 2000, memoryBytesMost: 2000, playersMost: 2 },
      },
    ],
    seconds: 60,
    marks: [],
  })
  const joined = {
    at,
    cpuPercent: 30,
    cpuPercentMost: 60,
    memoryBytes: 2000,
    memoryBytesMost: 3000,
    playersMost: 4,
  }
  expect(it.read('day')).toMatchObject({ points: [joined], seconds: 300 })
  expect(it.read('week')).toMatchObject({ points: [joined], seconds: 1800 })
})

test('goes on where it was after a restart', async () => {
  const it = await recorder()
  it.becomes('online')
  it.use({ cpu: 10 })
  await it.restart()
  it.use({ cpu: 30 })
  expect(it.read('hour').points).toMatchObject([{ cpuPercent: 20, cpuPercentMost: 30 }])
  expect(it.read('hour').marks).toEqual([{ at: new Date(START).toISOString(), status: 'online' }])
})

test('holds no more than a week, however long it runs', async () => {
  const it = await recorder()
  it.becomes('online')
  for (let minute = 0; minute < 9 * 24 * 12; minute++) {
    it.use()
    it.clock.forward(5 * MINUTE)
  }
  it.becomes('offline')
  const counts = (['hour', 'day', 'week'] as const).map((range) => it.read(range).points.length)
  expect(counts).toEqual([12, 288, 336])
  expect(it.read('week').marks.map(({ status }) => status)).toEqual(['offline'])
  for (const [step, most] of [
    [MINUTE, 14],
    [5 * MINUTE, 290],
    [30 * MINUTE, 338],
  ] as const)
    expect(it.store().stats.buckets('one', step, 0, Infinity).length).toBeLessThanOrEqual(most)
})

test('a server that goes up and down without end leaves five hundred marks', async () => {
  const it = await recorder()
  for (let time = 0; time < 300; time++) {
    it.becomes('starting')
    it.becomes('crashed')
  }
  expect(it.read('hour').marks).toHaveLength(500)
})

test('tells servers apart, forgets a deleted one, and takes nothing of it', async () => {
  const it = await recorder()
  addServer(it.store(), 'two', 2)
  it.use({ cpu: 1 })
  it.use({ cpu: 2 }, 'two')
  expect(it.read('hour', 'two').points).toMatchObject([{ cpuPercent: 2 }])
  it.store().servers.remove('two')
  it.use({ cpu: 3 }, 'two')
  it.becomes('offline', 'two')
  expect(it.read('hour', 'two')).toMatchObject({ points: [], marks: [] })
  expect(it.read('hour').points).toMatchObject([{ cpuPercent: 1 }])
})

test('drops what is of a time to come once the clock was set back', async () => {
  const it = await recorder()
  it.clock.set(HOUR)
  it.use()
  it.clock.set(-HOUR)
  it.use()
  expect(it.read('day').points).toHaveLength(1)
  it.clock.set(HOUR)
  expect(it.read('day').points).toHaveLength(1)
})
