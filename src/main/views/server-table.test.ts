import { describe, expect, it } from 'vitest'
import { ServerTable } from './server-table.ts'

const server = { connectionId: 'c', serverId: 's' }
const hour = 60 * 60 * 1000
const reading = { cpuPercent: 1, memoryBytes: 2 }

describe('the readings of the last hour', () => {
  it('are gone once the hour is over, also of a server that gives no new ones', () => {
    let now = 1000
    const servers = new ServerTable(() => now)
    servers.setStatus(server, { status: 'online' })
    servers.addSample(server, reading)
    servers.setStatus(server, { status: 'offline' })
    expect(servers.graphs(server)).toMatchObject({
      samples: [{ cpu: 1, memory: 2 }],
      marks: [{ status: 'offline' }],
    })
    now += hour + 1
    expect(servers.graphs(server)).toEqual({ samples: [], marks: [], problem: null })
  })

  it('bear no players of the run before', () => {
    const servers = new ServerTable(() => 1)
    servers.setStatus(server, { status: 'online' })
    servers.setPlayers(server, { online: 5 })
    expect(servers.addSample(server, reading).players).toBe(5)
    for (const status of ['stopping', 'offline', 'starting', 'online'] as const)
      servers.setStatus(server, { status })
    expect(servers.addSample(server, reading).players).toBeNull()
  })

  it('what was read before the clock was set back stays before what comes, and the graph goes on', () => {
    let now = Date.UTC(2026, 10, 22)
    const servers = new ServerTable(() => now)
    servers.setStatus(server, { status: 'offline' })
    servers.addSample(server, { cpuPercent: 1 })
    now += 5000
    servers.setStatus(server, { status: 'online' })
    servers.addSample(server, { cpuPercent: 2 })
    now -= 30 * 24 * hour
    servers.addSample(server, { cpuPercent: 3 })
    const known = servers.graphs(server)
    expect(known.samples.map(({ cpu }) => cpu)).toEqual([1, 2, 3])
    const times = known.samples.map(({ at }) => at)
    expect(times).toEqual([now - 5001, now - 1, now])
    expect(known.marks.map(({ at }) => at)).toEqual([now - 1])
  })
})

it('lists other servers only when they changed, and none of a connection that was forgotten', () => {
  const servers = new ServerTable(() => 1)
  // A connection without servers needs no stream for them.
  expect([[], ['a'], ['a'], ['a', 'b'], []].map((ids) => servers.setListed('c', ids))).toEqual([
    ...[false, true, false, true, true],
  ])
  servers.setListed('c', ['a'])
  servers.forget('c')
  expect(servers.listed('c')).toEqual([])
})

it('a service that lists other servers each time leaves few of those that are gone, and all that are there', () => {
  const ids = (round: number) => Array.from({ length: 300 }, (_none, at) => `${round}-${at}`)
  const servers = new ServerTable(() => 1)
  for (let round = 0; round < 10; round++) {
    for (const serverId of ids(round)) {
      servers.addSample({ connectionId: 'c', serverId }, reading)
      servers.setStatus({ connectionId: 'c', serverId }, { status: 'online' })
    }
    servers.setListed('c', ids(round))
  }
  servers.setStatus({ connectionId: 'd', serverId: '0-0' }, { status: 'online' })
  const all = Array.from({ length: 10 }, (_none, round) => ids(round)).flat()
  const held = all.filter((serverId) => servers.status({ connectionId: 'c', serverId }) !== null)
  expect(held).toHaveLength(300 + 100)
  expect(held.slice(-300)).toEqual(ids(9))
  const graphs = all.filter((serverId) => servers.graphs({ connectionId: 'c', serverId }).samples.length > 0)
  expect(graphs).toEqual(held)
  expect(servers.status({ connectionId: 'd', serverId: '0-0' })).not.toBeNull()
})
