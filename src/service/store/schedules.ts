import type { DatabaseSync } from 'node:sqlite'
import type { NewSchedule, RUN_RESULTS, ScheduleStepResult } from '../../contract/areas/schedule-values.ts'
import { RUNS_KEPT } from '../../contract/areas/schedule-values.ts'
import type { RefusalText } from '../../contract/messages/refusals/index.ts'

export type RuleText = Pick<NewSchedule, 'when' | 'only' | 'steps' | 'missed'>
/** A sentence, without its English words. */
export type Sentence = Pick<RefusalText, 'sentence' | 'values'>

/** Times in ms since 1970. */
export interface ScheduleRow extends RuleText {
  id: string
  serverId: string
  name: string
  enabled: boolean
  /** Account id. */
  author: string
  paused: Sentence | null
  nextAt: number | null
  /** The clock when `nextAt` was computed: what is due until then was dealt with. */
  plannedAt: number
}

export type RunResult = (typeof RUN_RESULTS)[number]
export type RunCause = 'time' | 'event' | 'person'
export type StepOutcome = Pick<ScheduleStepResult, 'names'> & {
  kind: RuleText['steps'][number]['kind']
  result: 'done' | 'unchanged' | 'failed' | 'not-run'
  error?: Sentence
}

export interface RunRow {
  id: number
  scheduleId: string
  due: number | null
  at: number
  endedAt: number | null
  cause: RunCause
  account: string | null
  result: RunResult
  missed: number
  error: Sentence | null
  steps: StepOutcome[]
}
export type NewRun = Omit<RunRow, 'id'> & { seen: number }

const SWEPT = 500
const SCHEDULE = `id, server_id AS serverId, name, enabled, rule, author, paused, next_at AS nextAt, planned_at AS plannedAt`
const RUN = `id, schedule_id AS scheduleId, due, at, ended_at AS endedAt, cause, account, result, missed, error, steps`

export type SchedulesTable = ReturnType<typeof schedulesTable>

export function schedulesTable(db: DatabaseSync) {
  const all = db.prepare(`SELECT ${SCHEDULE} FROM schedules ORDER BY seq`)
  const save = db.prepare(
    `INSERT INTO schedules (id, server_id, name, enabled, rule, author, paused, next_at, planned_at)
     SELECT :id, id, :name, :enabled, :rule, :author, :paused, :nextAt, :plannedAt FROM servers WHERE id = :serverId
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, enabled = excluded.enabled, rule = excluded.rule,
       author = excluded.author, paused = excluded.paused, next_at = excluded.next_at, planned_at = excluded.planned_at`,
  )
  const remove = db.prepare('DELETE FROM schedules WHERE id = ?')
  return {
    all: () => all.all().map(scheduleIn),
    save: ({ when, only, steps, missed, paused, enabled, ...row }: ScheduleRow) =>
      void save.run({
        ...row,
        enabled: Number(enabled),
        rule: JSON.stringify({ when, only, steps, missed }),
        paused: paused && JSON.stringify(paused),
      }),
    remove: (id: string) => void remove.run(id),
    ...runs(db),
  }
}

function runs(db: DatabaseSync) {
  const insert = db.prepare(
    `INSERT INTO schedule_runs (schedule_id, due, at, seen, ended_at, cause, account, result, missed, error, steps)
     SELECT id, :due, :at, :seen, :endedAt, :cause, :account, :result, :missed, :error, :steps
     FROM schedules WHERE id = :scheduleId ON CONFLICT DO NOTHING`,
  )
  const trim = db.prepare(
    `DELETE FROM schedule_runs WHERE schedule_id = ?1 AND id <= (SELECT id FROM schedule_runs
       WHERE schedule_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${RUNS_KEPT})`,
  )
  const change = db.prepare(
    'UPDATE schedule_runs SET ended_at = :endedAt, result = :result, error = :error, steps = :steps WHERE id = :id',
  )
  const has = db.prepare('SELECT 1 FROM schedule_runs WHERE schedule_id = ? AND due = ?')
  const page = db.prepare(
    `SELECT ${RUN} FROM schedule_runs WHERE schedule_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
  )
  const open = db.prepare(
    `UPDATE schedule_runs SET result = 'interrupted', ended_at = ? WHERE result IN ('waiting', 'running')
     RETURNING ${RUN}`,
  )
  const old = db.prepare(
    `DELETE FROM schedule_runs WHERE id IN (SELECT id FROM schedule_runs WHERE seen < ? ORDER BY seen LIMIT ${SWEPT})`,
  )
  return {
    /** Null if the rule is gone, or ran for that time already. */
    addRun(run: NewRun): RunRow | null {
      const { changes, lastInsertRowid } = insert.run({ ...run, ...textsOf(run) })
      if (changes === 0) return null
      trim.run(run.scheduleId)
      const { seen: _, ...row } = run
      return { ...row, id: Number(lastInsertRowid) }
    },
    changeRun: ({ id, endedAt, result, ...run }: RunRow) =>
      void change.run({ id, endedAt, result, ...textsOf(run) }),
    ranFor: (scheduleId: string, due: number) => has.get(scheduleId, due) !== undefined,
    /** Newest first, before number `before`. */
    runs: (scheduleId: string, before: number, limit: number) =>
      page.all(scheduleId, before, limit).map(runIn),
    /** Those that an earlier start of the service left unfinished. */
    interrupt: (now: number) => open.all(now).map(runIn),
    /** Removes one step of runs older than `seen`. Returns whether there may be more. */
    sweepRuns: (seen: number) => old.run(seen).changes === SWEPT,
  }
}

const textsOf = ({ error, steps }: Pick<RunRow, 'error' | 'steps'>) => ({
  error: error && JSON.stringify(error),
  steps: JSON.stringify(steps),
})

const json = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null)

const scheduleIn = ({ rule, enabled, paused, ...row }: Record<string, unknown>) =>
  ({ ...row, ...(json(rule) as RuleText), enabled: enabled === 1, paused: json(paused) }) as ScheduleRow

const runIn = ({ error, steps, ...row }: Record<string, unknown>) =>
  ({ ...row, error: json(error), steps: json(steps) }) as unknown as RunRow
