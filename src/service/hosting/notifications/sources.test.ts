import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { NotificationDraft } from './notifications.ts'
import { NotificationSources, type SourcesOptions } from './sources.ts'

test('a server that crashes in a loop, or fills and empties its disk, tells of it a few times at once, and then every ten minutes', () => {
  const told: NotificationDraft[] = []
  const now = { elapsed: 0 }
  const server = { id: 's', ownerId: 'ann', name: 'Mine' }
  const sources = new NotificationSources({
    store: {
      accounts: {},
      servers: { byId: () => server },
      sharing: { members: () => [] },
    },
    notifications: { tell: (_accountId: string, one: NotificationDraft) => told.push(one) },
    held: () => 'owner',
    stops: () => false,
    elapsed: () => now.elapsed,
    log: pino({ level: 'silent' }),
  } as unknown as SourcesOptions)
  const crash = (times: number) => {
    for (let time = 0; time < times; time++) sources.status('s', { status: 'crashed', exitCode: 1 })
    return told.splice(0).length
  }
  sources.status('s', { status: 'online' })
  expect(crash(30)).toBe(10)
  const fill = (times: number) => {
    for (let time = 0; time < times; time++) sources.nearlyFull('s', 95, 100)
    return told.splice(0).length
  }
  expect(fill(30)).toBe(10)
  now.elapsed += 10 * 60 * 1000
  expect(crash(30)).toBe(1)
  expect(fill(30)).toBe(1)
})
