import type { KeepRule } from '../../contract/areas/backups.ts'
import type { BackupRow } from '../store/backups.ts'

export const USUAL_KEEP: KeepRule = { last: 3, hourly: 0, daily: 7, weekly: 4, monthly: 0 }

/** Archives made before a change that are kept. */
const BEFORE_CHANGES = 3
/** Failures that stay visible. */
const FAILED = 5

type AgedBackup = Pick<BackupRow, 'id' | 'cause' | 'state' | 'createdAt' | 'locked' | 'tried'>

/** Whole, and not found unusable. */
const isGood = ({ state, tried }: AgedBackup): boolean =>
  state === 'done' && tried?.result !== 'damaged' && tried?.result !== 'not-started'

/** What the rule no longer keeps. In the time zone of this computer. */
export function outdated(rows: readonly AgedBackup[], rule: KeepRule): string[] {
  const newest = rows.toSorted((a, b) => b.createdAt - a.createdAt)
  const good = newest.find(isGood)
  const kept = new Set(newest.filter(({ locked }) => locked).map(({ id }) => id))
  if (good) kept.add(good.id)
  const done = newest.filter(({ state }) => state === 'done')
  const usual = done.filter(({ cause }) => cause !== 'before-change')
  const keep = (some: readonly AgedBackup[]) => some.forEach(({ id }) => kept.add(id))
  keep(usual.slice(0, rule.last))
  keep(done.filter(({ cause }) => cause === 'before-change').slice(0, BEFORE_CHANGES))
  keep(newest.filter(({ state }) => state === 'failed').slice(0, FAILED))
  for (const [period, count] of periodsOf(rule)) keep(newestOfEach(usual, period).slice(0, count))
  const isOver = ({ state }: AgedBackup) => state === 'done' || state === 'failed'
  return newest.filter((row) => isOver(row) && !kept.has(row.id)).map(({ id }) => id)
}

type Period = (at: Date) => string

const day: Period = (at) => `${at.getFullYear()}-${at.getMonth()}-${at.getDate()}`

const periodsOf = ({ hourly, daily, weekly, monthly }: KeepRule): readonly (readonly [Period, number])[] => [
  // By time passed: at the end of summer time, an hour has the same name twice.
  [(at) => String(Math.floor(at.getTime() / 3_600_000)), hourly],
  [day, daily],
  [(at) => day(new Date(at.getFullYear(), at.getMonth(), at.getDate() - ((at.getDay() + 6) % 7))), weekly],
  [(at) => `${at.getFullYear()}-${at.getMonth()}`, monthly],
]

function newestOfEach(newestFirst: readonly AgedBackup[], period: Period): AgedBackup[] {
  const found = new Map<string, AgedBackup>()
  for (const row of newestFirst) {
    const key = period(new Date(row.createdAt))
    if (!found.has(key)) found.set(key, row)
  }
  return [...found.values()]
}
