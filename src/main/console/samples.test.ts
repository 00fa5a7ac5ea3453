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
    expect(samples.of(server)).toEqual({ samples: [], marks: [] })
  })

  it('bear no players of the run before', () => {
    const samples = new Samples(() => 1)
    samples.status(server, 'online')
    samples.players(server, 5)
    expect(samples.add(server, reading).players).toBe(5)
    for (const status of ['stopping', 'offline', 'starting', 'online']) samples.status(server, status)
    expect(samples.add(server, reading).players).toBeNull()
  })
})
