import type { z } from 'zod'
import type {
  NewSchedule,
  Schedule,
  ScheduleChange,
  ScheduleRun,
  WishedOnly,
  WishedWhen,
} from '../../contract/areas/schedule-values.ts'
import { type HostOperations, hostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { PanelSchedule, PanelTask, timeOf } from './answers.ts'
import type { PanelApi } from './panel-api.ts'
import { isKnownTask, isSameTask, stepsOf, type TaskText, tasksOf } from './schedule-steps.ts'
import { pathOf, type PanelServers } from './servers.ts'

type Entry = z.input<typeof Schedule>
type Run = z.input<typeof ScheduleRun>

/** Schedules that the host runs. It tells neither its time zone nor how a run went. */
export function schedulesOf(api: PanelApi, servers: PanelServers): HostOperations {
  const schedules = new PanelSchedules(api)
  return {
    'schedules.list': async (caller) => ({
      items: await schedules.list(caller.params.serverId, caller),
      nextCursor: null,
    }),
    'schedules.kinds': async (caller) => {
      const { feature_limits: limits } = await servers.details(caller.params.serverId, caller)
      const backup = limits?.backups === 0 ? [] : ['backup']
      return { steps: ['command', 'power', 'wait', ...backup], events: [] }
    },
    'schedules.create': (caller) => schedules.create(caller.params.serverId, caller.body, caller),
    'schedules.change': ({ params, body, ...caller }) =>
      schedules.change(params.serverId, params.scheduleId, body, caller),
    'schedules.remove': (caller) =>
      api.send(placeOf(caller.params.serverId, caller.params.scheduleId), caller, { method: 'DELETE' }),
    'schedules.run': async (caller) => {
      const { serverId, scheduleId } = caller.params
      await api.send(`${placeOf(serverId, scheduleId)}/execute`, caller, { method: 'POST' })
      return { id: 'last', state: 'waiting', at: new Date().toISOString(), cause: 'person' }
    },
    'schedules.runs': async (caller) => {
      const { serverId, scheduleId } = caller.params
      const last = lastRun(await api.one(placeOf(serverId, scheduleId), PanelSchedule, caller))
      return { items: last ? [last] : [], nextCursor: null }
    },
  }
}

const placeOf = (serverId: string, id: string | number): string =>
  `${pathOf(serverId)}/schedules/${encodeURIComponent(id)}`

class PanelSchedules {
  readonly #api: PanelApi

  constructor(api: PanelApi) {
    this.#api = api
  }

  async list(serverId: string, caller: Caller): Promise<Entry[]> {
    const { items } = await this.#api.page(`${pathOf(serverId)}/schedules`, PanelSchedule, caller)
    return items.map(entryOf)
  }

  /** Off until it has its tasks; without them, there is none. */
  async create(serverId: string, wish: NewSchedule, caller: Caller): Promise<Entry> {
    const tasks = tasksOf(wish.steps)
    const text = textOf(wish)
    const made = await this.#api.one(
      `${pathOf(serverId)}/schedules`,
      PanelSchedule,
      caller,
      {},
      { ...text, is_active: false },
    )
    const place = placeOf(serverId, made.id)
    try {
      await this.#add(place, tasks, caller)
      return entryOf(await this.#api.one(place, PanelSchedule, caller, {}, text))
    } catch (error) {
      await this.#api.send(place, caller, { method: 'DELETE' }).catch(() => undefined)
      throw error
    }
  }

  async change(serverId: string, id: string, wish: ScheduleChange, caller: Caller): Promise<Entry> {
    const place = placeOf(serverId, id)
    const before = await this.#api.one(place, PanelSchedule, caller)
    const text = { ...textIn(before), ...textOf(wish) }
    if (wish.steps) await this.#changeTasks(place, tasksIn(before), wish.steps, caller)
    return entryOf(await this.#api.one(place, PanelSchedule, caller, {}, text))
  }

  /** New ones first: if the host refuses them, nothing has changed. */
  async #changeTasks(
    place: string,
    before: readonly (PanelTask | null)[],
    steps: NonNullable<ScheduleChange['steps']>,
    caller: Caller,
  ): Promise<void> {
    const known = before.filter(isKnownTask)
    const wished = tasksOf(steps, known)
    if (wished.length === known.length && wished.every((text, at) => isSameTask(known[at]!, text))) return
    if (known.length < before.length) throw hostRefusal(409, 'host.schedule-steps')
    await this.#add(place, wished.slice(known.length), caller)
    for (const [at, text] of wished.slice(0, known.length).entries())
      if (!isSameTask(known[at]!, text))
        await this.#api.send(`${place}/tasks/${known[at]!.id}`, caller, { method: 'POST', json: text })
    for (const { id } of known.slice(wished.length))
      await this.#api.send(`${place}/tasks/${id}`, caller, { method: 'DELETE' })
  }

  async #add(place: string, tasks: readonly TaskText[], caller: Caller): Promise<void> {
    const added: number[] = []
    try {
      for (const task of tasks)
        added.push((await this.#api.one(`${place}/tasks`, PanelTask, caller, {}, task)).id)
    } catch (error) {
      for (const id of added)
        await this.#api.send(`${place}/tasks/${id}`, caller, { method: 'DELETE' }).catch(() => undefined)
      throw error
    }
  }
}

/** In order. Null: a task that couldn't be read. */
function tasksIn({ relationships }: PanelSchedule): (PanelTask | null)[] {
  const found = relationships?.tasks
  if (!found) return [null]
  const tasks = found.data.map(({ attributes }) => attributes)
  return tasks.sort((a, b) => (a?.sequence_id ?? 0) - (b?.sequence_id ?? 0))
}

const cronIn = ({ cron }: PanelSchedule): string =>
  [cron.minute, cron.hour, cron.day_of_month, cron.month, cron.day_of_week].join(' ')

const textIn = ({ name, cron, is_active, only_when_online }: PanelSchedule) => ({
  ...{ name, ...cron, is_active: is_active ?? false, only_when_online: only_when_online ?? false },
})

/** What the host has no place for is refused: an event, or a condition other than being online. */
function textOf({ name, enabled, when, only }: ScheduleChange) {
  return {
    ...(name !== undefined && { name }),
    ...(enabled !== undefined && { is_active: enabled }),
    ...(when && cronOf(when)),
    ...(only !== undefined && { only_when_online: onlineIn(only) }),
  }
}

function cronOf({ cron, timeZone }: WishedWhen) {
  const parts = cron?.split(/\s+/) ?? []
  if (parts.length !== 5 || timeZone !== undefined) throw hostRefusal(422, 'host.schedule-time')
  const [minute, hour, day_of_month, month, day_of_week] = parts
  return { minute, hour, day_of_month, month, day_of_week }
}

function onlineIn(only: WishedOnly | null): boolean {
  if (only?.players || only?.between) throw hostRefusal(422, 'host.schedule-time')
  return only?.online ?? false
}

function lastRun({ is_processing, last_run_at }: PanelSchedule): Run | null {
  // Until a run has ended, that is the time of the one before.
  const at = is_processing ? null : timeOf(last_run_at)
  if (!is_processing && at === null) return null
  return { id: 'last', state: is_processing ? 'running' : 'started', at }
}

function entryOf(schedule: PanelSchedule): Entry {
  const { id, name, is_active, only_when_online, next_run_at } = schedule
  return {
    ...{ id: String(id), name, enabled: is_active, when: { cron: cronIn(schedule) } },
    only: only_when_online ? { online: true } : null,
    steps: stepsOf(tasksIn(schedule)),
    nextAt: is_active ? timeOf(next_run_at) : null,
    last: lastRun(schedule),
  }
}
