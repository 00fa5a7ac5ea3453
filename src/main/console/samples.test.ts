import { expect, test } from 'vitest'
import { Samples } from './samples.ts'

const server = { connectionId: 'c', serverId: 's' }
const DAY = 24 * 60 * 60 * 1000

test('what was read before the clock was set back stays before what comes, and the graph goes on', () => {
  let now = Date.UTC(2026, 10, 22)
  const samples = new Samples(() => now)
  samples.status(server, 'offline')
  samples.add(server, { cpu: 1, memory: null })
  now += 5000
  samples.status(server, 'online')
  samples.add(server, { cpu: 2, memory: null })
  now -= 30 * DAY
  samples.add(server, { cpu: 3, memory: null })
  const known = samples.of(server)
  expect(known.samples.map(({ cpu }) => cpu)).toEqual([1, 2, 3])
  const times = known.samples.map(({ at }) => at)
  expect(times).toEqual([now - 5001, now - 1, now])
  expect(known.marks.map(({ at }) => at)).toEqual([now - 1])
})
