import type { z } from 'zod'
import type { Actor } from '../../../contract/areas/activity.ts'
import { schedules as operations } from '../../../contract/areas/schedules.ts'
import type { Schedule, ScheduleRun } from '../../../contract/areas/schedule-values.ts'
import { RUNS_KEPT, SCHEDULES_MOST } from '../../../contract/areas/schedule-values.ts'
import { inWords } from '../../../contract/messages/refusals/index.ts'
import { isoTime } from '../../base/clock.ts'
import { refusal, toldOf } from '../../../host/refusal.ts'
import { serve, type ServerInput, type ServiceApp } from '../../http/serve.ts'
import { dueTimes, nextTimes } from '../../schedules/due-times.ts'
import type { SchedulePorts } from '../../schedules/ports.ts'
import { Schedules } from '../../schedules/schedules.ts'
import type { RunRow, ScheduleRow, Sentence } from '../../store/schedules.ts'

const TIMES = 5
const NEWEST = Number.MAX_SAFE_INTEGER

export function mountSchedules(app: ServiceApp, ports: SchedulePorts): Schedules {
  const schedules = new Schedules(ports)
  const { store, clock } = ports
  const reader = ({ server }: Pick<ServerInput, 'server'>, accountId: string): Reader => ({
    ownerId: server.ownerId,
    accountId,
    nameOf: (id) => store.accounts.byId(id)?.name ?? '',
  })
  const view = (row: ScheduleRow, by: Reader) =>
    scheduleView(row, schedules.runs(row.serverId, row.id, NEWEST, 1)[0] ?? null, by)

  serve(app, operations.list, ({ server, caller, query }) => {
    const from = numberIn(query.cursor)
    const to = from + (query.limit ?? SCHEDULES_MOST)
    const all = schedules.list(server.id)
    const by = reader({ server }, caller.accountId)
    return {
      items: all.slice(from, to).map((row) => view(row, by)),
      nextCursor: to < all.length ? String(to) : null,
    }
  })

  serve(app, operations.kinds, ({ server }) => {
    const { steps, events } = schedules.kinds(server.id)
    return { steps: [...steps], events: [...events] }
  })

  serve(app, operations.times, ({ query: { cron, timeZone } }) => ({
    times: nextTimes(dueTimes(cron, timeZone), clock.now(), TIMES).map(isoTime),
  }))

  serve(app, operations.create, ({ server, held, caller, body }) =>
    view(
      schedules.create(server.id, body, { accountId: caller.accountId, held }),
      reader({ server }, caller.accountId),
    ),
  )

  serve(app, operations.change, ({ server, held, caller, params, body, logTarget }) => {
    logTarget(schedules.of(server.id, params.scheduleId).name)
    const { accountId } = caller
    const row = schedules.change(server.id, params.scheduleId, body, { accountId, held })
    return view(row, reader({ server }, accountId))
  })

  serve(app, operations.remove, ({ server, params, logTarget }) => {
    logTarget(schedules.of(server.id, params.scheduleId).name)
    schedules.remove(server.id, params.scheduleId)
  })

  serve(app, operations.run, ({ server, held, caller, params, logTarget }) => {
    logTarget(schedules.of(server.id, params.scheduleId).name)
    const { accountId } = caller
    const run = schedules.run(server.id, params.scheduleId, { accountId, held })
    return runView(run, reader({ server }, accountId))
  })

  serve(app, operations.runs, ({ server, caller, params, query }) => {
    const limit = query.limit ?? RUNS_KEPT
    const before = query.cursor === undefined ? NEWEST : numberIn(query.cursor)
    const rows = schedules.runs(server.id, params.scheduleId, before, limit + 1)
    const by = reader({ server }, caller.accountId)
    const items = rows.slice(0, limit).map((row) => runView(row, by))
    return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
  })
  return schedules
}

function numberIn(cursor = '0'): number {
  if (!/^\d{1,15}$/.test(cursor)) throw refusal(422, 'request.invalid.place').at('cursor')
  return Number(cursor)
}

interface Reader {
  ownerId: string
  accountId: string
  nameOf: (accountId: string) => string
}

const actorOf = (id: string, { ownerId, accountId, nameOf }: Reader): z.input<typeof Actor> => ({
  ...{ id, name: nameOf(id), owner: id === ownerId, you: id === accountId },
})

const reasonOf = (told: Sentence | null) => told && toldOf(inWords(told))

function runView(
  { id, result, at, endedAt, cause, account, missed, error, steps }: RunRow,
  by: Reader,
): z.input<typeof ScheduleRun> {
  return {
    ...{
      id: String(id),
      state: result,
      at: isoTime(at),
      endedAt: endedAt === null ? null : isoTime(endedAt),
      cause,
    },
    ...(account !== null && { by: actorOf(account, by) }),
    ...(missed > 0 && { missed }),
    ...(error && { error: reasonOf(error) }),
    steps: steps.map(({ error: why, ...step }) => ({ ...step, ...(why && { error: reasonOf(why) }) })),
  }
}

const scheduleView = (
  { id, name, enabled, when, only, steps, missed, author, paused, nextAt }: ScheduleRow,
  last: RunRow | null,
  by: Reader,
): z.input<typeof Schedule> => ({
  ...{ id, name, enabled, when, only: only ?? null, steps, missed, by: actorOf(author, by) },
  paused: reasonOf(paused),
  nextAt: nextAt === null ? null : isoTime(nextAt),
  last: last && runView(last, by),
})
