import { expect, it } from 'vitest'
import type { KeepRule } from '../../contract/areas/backups.ts'
import { outdated, USUAL_KEEP } from './keep-rule.ts'

const NONE: KeepRule = { last: 0, hourly: 0, daily: 0, weekly: 0, monthly: 0 }
const HOUR = 3_600_000
/** A Monday, in the time zone of this computer. */
const NOON = new Date(2026, 5, 15, 12).getTime()

type Row = Parameters<typeof outdated>[0][number]

const row = (ago: number, more: Partial<Row> = {}): Row => ({
  ...{
    id: `${ago}`,
    cause: 'schedule',
    state: 'done',
    createdAt: NOON - ago * HOUR,
    locked: false,
    tried: null,
  },
  ...more,
})
const kept = (rows: Row[], rule: Partial<KeepRule>) => {
  const gone = outdated(rows, { ...NONE, ...rule })
  return rows.map(({ id }) => id).filter((id) => !gone.includes(id))
}

it('keeps the newest good one whatever the rule says', () => {
  const failed = row(0, { state: 'failed' })
  const damaged = row(1, { tried: { at: '', result: 'damaged' } })
  const broken = row(2, { tried: { at: '', result: 'not-started' } })
  expect(kept([failed, damaged, broken, row(3), row(4)], {})).toEqual(['0', '3'])
})

it('keeps the last, and the newest of each hour, day, week and month', () => {
  const rows = Array.from({ length: 24 * 100 }, (_, at) => row(at))
  expect(kept(rows, { last: 3 })).toEqual(['0', '1', '2'])
  expect(kept(rows, { hourly: 4 })).toEqual(['0', '1', '2', '3'])
  expect(kept(rows, { daily: 3 })).toEqual(['0', '13', '37'])
  // Weeks begin on Monday.
  expect(kept(rows, { weekly: 2 })).toEqual(['0', '13'])
  expect(kept(rows, { monthly: 2 })).toEqual(['0', String(14 * 24 + 13)])
  expect(kept(rows, { last: 2, daily: 2 })).toEqual(['0', '1', '13'])
})

it('keeps what is locked besides, and what was made before the last three changes', () => {
  const rows = [
    ...[0, 1, 2, 3, 4].map((at) => row(at, { cause: 'before-change' })),
    ...[row(5), row(6), row(7, { locked: true })],
  ]
  expect(kept(rows, { last: 1 })).toEqual(['0', '1', '2', '5', '7'])
})

it('never ends what waits or runs, and keeps only the last failures', () => {
  const rows = [row(0, { state: 'running' }), row(1, { state: 'waiting' })]
  const failed = [2, 3, 4, 5, 6, 7].map((at) => row(at, { state: 'failed' }))
  expect(kept([...rows, ...failed], {})).toEqual(['0', '1', '2', '3', '4', '5', '6'])
})

it('by default keeps three, and one for each of seven days and four weeks', () => {
  const rows = Array.from({ length: 24 * 60 }, (_, at) => row(at))
  expect(kept(rows, USUAL_KEEP).length).toBe(3 + 6 + 2)
})
