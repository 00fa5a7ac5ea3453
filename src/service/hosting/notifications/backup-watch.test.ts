import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import type { BackupRow } from '../../store/backups.ts'
import type { ScheduleRow } from '../../store/schedules.ts'
import { used } from '../../store/used-folder.fixture.ts'
import { BackupWatch } from './backup-watch.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
const NIGHTLY = '0 4 * * *'

const backupAt = (createdAt: number, state: BackupRow['state'] = 'done'): BackupRow => ({
  ...{ id: `b${createdAt}`, serverId: 'one', engine: 'archive', name: null, cause: 'schedule', change: null },
  ...{ state, createdAt, bytes: 1, addedBytes: 1, files: 1, locked: false, unpaused: false, tried: null },
  ...{ missing: [], missingCount: 0, software: null, error: null },
})

/** A watch over a real database; what it told is taken by each look, which is `ms` after the one before. */
async function watching() {
  const { open, clock } = await used()
  let store = await open()
  const told: string[] = []
  const begin = () => {
    const sources = { backupOverdue: (serverId: string) => void told.push(serverId) }
    return new BackupWatch({ store, sources, clock, log: pino({ level: 'silent' }) })
  }
  let watch = begin()
  onTestFinished(async () => {
    watch.close()
    await store.close()
  })
  return {
    now: () => clock.now(),
    backUp: (state?: BackupRow['state']) => store.backups.put(backupAt(clock.now(), state)),
    rule: (cron: string, more: Partial<ScheduleRow> = {}) =>
      store.schedules.save({
        ...{ id: 'r', serverId: 'one', name: 'Nightly', enabled: true, author: 'a', paused: null },
        ...{ when: { cron, timeZone: 'UTC' }, steps: [{ kind: 'backup' }], missed: 'skip' },
        ...{ nextAt: null, plannedAt: clock.now(), ...more },
      } as ScheduleRow),
    async restart() {
      watch.close()
      await store.close()
      store = await open()
      watch = begin()
    },
    look(ms = 0) {
      clock.forward(ms)
      watch.check()
      return told.splice(0)
    },
  }
}

test('a nightly backup that was not made is told once, three days after it was due', async () => {
  const { rule, look, backUp, restart } = await watching()
  expect(look(30 * DAY)).toEqual([])
  rule(NIGHTLY)
  expect(look()).toEqual([])
  expect(look(2 * DAY)).toEqual([])
  backUp('failed')
  expect(look(2 * DAY)).toEqual(['one'])
  expect(look(10 * DAY)).toEqual([])
  await restart()
  expect(look(HOUR)).toEqual([])
  backUp()
  expect(look(HOUR)).toEqual([])
  expect(look(4 * DAY)).toEqual(['one'])
})

test('a weekly backup is told three days after its day, and one that comes in time never is', async () => {
  const { rule, look, backUp } = await watching()
  // The clock begins on a Thursday.
  rule('0 4 * * 4')
  look()
  for (let week = 0; week < 3; week++) {
    expect(look(week === 0 ? 5 * HOUR : 7 * DAY)).toEqual([])
    backUp()
  }
  expect(look(9 * DAY)).toEqual([])
  expect(look(2 * DAY)).toEqual(['one'])
})

test('nobody is told of rules that need not make one now', async () => {
  const { rule, look, now } = await watching()
  rule(NIGHTLY, { only: { online: true } })
  expect(look() && look(9 * DAY)).toEqual([])
  rule(NIGHTLY, { steps: [{ kind: 'wait', seconds: 1 }] } as never)
  expect(look() && look(9 * DAY)).toEqual([])
  rule(NIGHTLY, { enabled: false })
  expect(look() && look(9 * DAY)).toEqual([])
  // Its time begins with it, and again with every change of its times.
  rule('0 4 * * 0')
  expect(look() && look(2 * DAY)).toEqual([])
  rule(NIGHTLY, { plannedAt: now() })
  expect(look() && look(2 * DAY)).toEqual([])
  // The service turned it off.
  rule(NIGHTLY, { enabled: false, paused: { sentence: 'schedules.off', values: {} } })
  expect(look(2 * DAY)).toEqual(['one'])
})
