import { describe, expect, it } from 'vitest'
import { Samples } from './samples.ts'

const server = { connectionId: 'c', serverId: 's' }
const hour = 60 * 60 * 1000
const reading = { cpu: 1, memory: 2 }

describe('the readings of the last hour', () => {
  it('are gone once the hour is over, also of a server that gives no new ones', () => {
    let now = 1000
    const samples = new Samples(() => now)
    samples.status(server, 'online')
    samples.add(server, reading)
    samples.status(server, 'offline')
    expect(samples.of(server)).toMatchObject({ samples: [reading], marks: [{ status: 'offline' }] })
    now += hour + 1
    expect(samples.of(server)).toEqual({ samples: [], marks: [], problem: null })
  })

  it('bear no players of the run before', () => {
    const samples = new Samples(() => 1)
    samples.status(server, 'online')
    samples.players(server, 5)
    expect(samples.add(server, reading).players).toBe(5)
    for (const status of ['stopping', 'offline', 'starting', 'online']) samples.status(server, status)
    expect(samples.add(server, reading).players).toBeNull()
  })

  it('what was read before the clock was set back stays before what comes, and the graph goes on', () => {
    let now = Date.UTC(2026, 10, 22)
    const samples = new Samples(() => now)
    samples.status(server, 'offline')
    samples.add(server, { cpu: 1, memory: null })
    now += 5000
    samples.status(server, 'online')
    samples.add(server, { cpu: 2, memory: null })
    now -= 30 * 24 * hour
    samples.add(server, { cpu: 3, memory: null })
    const known = samples.of(server)
    expect(known.samples.map(({ cpu }) => cpu)).toEqual([1, 2, 3])
    const times = known.samples.map(({ at }) => at)
    expect(times).toEqual([now - 5001, now - 1, now])
    expect(known.marks.map(({ at }) => at)).toEqual([now - 1])
  })
})
