import { expect, test } from 'vitest'
import { Samples } from '../console/samples.ts'
import { Statuses } from '../views/statuses.ts'

const ids = (round: number) => Array.from({ length: 300 }, (_none, at) => `${round}-${at}`)

test('a service that lists other servers each time leaves few of those that are gone, and all that are there', () => {
  const samples = new Samples(() => 1)
  const statuses = new Statuses()
  for (let round = 0; round < 10; round++) {
    for (const serverId of ids(round)) {
      samples.add({ connectionId: 'c', serverId }, { cpu: 1, memory: 1 })
      statuses.told({ connectionId: 'c', serverId }, { status: 'online' })
    }
    for (const room of [samples, statuses]) room.keepFewGone('c', new Set(ids(round)))
  }
  statuses.told({ connectionId: 'd', serverId: '0-0' }, { status: 'online' })
  const all = Array.from({ length: 10 }, (_none, round) => ids(round)).flat()
  const withSamples = all.filter((serverId) => samples.of({ connectionId: 'c', serverId }).samples.length > 0)
  const withStatus = all.filter((serverId) => statuses.of({ connectionId: 'c', serverId }) !== null)
  for (const held of [withSamples, withStatus]) {
    expect(held).toHaveLength(300 + 100)
    expect(held.slice(-300)).toEqual(ids(9))
  }
  expect(statuses.of({ connectionId: 'd', serverId: '0-0' })).not.toBeNull()
})
