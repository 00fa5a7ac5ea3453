import {
  type Answer,
  type DoubleSchedule,
  type DoubleServer,
  type DoubleTask,
  error,
  forbidden,
  type Handler,
  invalid,
  notFound,
} from './routes.ts'

const TASKS_MOST = 10
const OFFSET_MOST = 900
const FIELDS = ['minute', 'hour', 'day_of_month', 'month', 'day_of_week']
const NEEDS: Record<string, string> = {
  GET: 'schedule.read',
  POST: 'schedule.update',
  DELETE: 'schedule.delete',
}
let ids = 1000

/** Schedules and their tasks, as checked by panel 1.11. */
export function scheduleHandler(route: string): Handler | undefined {
  const match = /^(\w+) \/schedules(?:\/(\d+))?(?:\/(execute|tasks)(?:\/(\d+))?)?$/.exec(route)
  if (!match) return undefined
  const [, method = '', id, what = '', taskId] = match
  return ({ server, json }) => {
    const needed = method === 'POST' && !id ? 'schedule.create' : what ? 'schedule.update' : NEEDS[method]!
    const refused = forbidden(server, needed)
    if (refused) return refused
    if (!id) return method === 'GET' ? listOf(server) : created(server, json())
    const schedule = server.schedules.find((one) => String(one.id) === id)
    const task = schedule?.tasks.find((one) => String(one.id) === taskId)
    if (!schedule || (taskId && !task)) return notFound()
    switch (`${method} ${what}${taskId ? '/' : ''}`) {
      case 'GET ':
        return { status: 200, body: scheduleObject(schedule) }
      case 'POST ':
        return saved(schedule, json())
      case 'DELETE ':
        server.schedules = server.schedules.filter((one) => one !== schedule)
        return { status: 204 }
      case 'POST execute':
        if (schedule.tasks.length === 0)
          return error(
            400,
            'DisplayException',
            'Cannot process schedule for task execution: no tasks are registered.',
          )
        schedule.processing = true
        return { status: 202, body: [] }
      case 'POST tasks':
        return taskSaved(schedule, null, json())
      case 'POST tasks/':
        return taskSaved(schedule, task!, json())
      case 'DELETE tasks/':
        schedule.tasks = schedule.tasks.filter((one) => one !== task)
        return { status: 204 }
      default:
        return error(405, 'MethodNotAllowedHttpException', 'This method is not allowed.')
    }
  }
}

type Given = Record<string, unknown>

const listOf = ({ schedules }: DoubleServer): Answer => ({
  status: 200,
  body: { object: 'list', data: schedules.map(scheduleObject) },
})

function created(server: DoubleServer, given: Given): Answer {
  const schedule: DoubleSchedule = {
    ...{ id: ids++, name: '', cron: [], active: false, onlineOnly: false, processing: false },
    ...{ lastRun: null, tasks: [] },
  }
  const answer = saved(schedule, given)
  if (answer.status === 200) server.schedules.push(schedule)
  return answer
}

function saved(schedule: DoubleSchedule, given: Given): Answer {
  if (!given['name']) return invalid('name', 'The name field is required.')
  for (const field of FIELDS)
    if (typeof given[field] !== 'string') return invalid(field, `The ${field} field is required.`)
  if (FIELDS.some((field) => !/^[\d*,/A-Z-]+$/.test(given[field] as string)))
    return error(400, 'DisplayException', 'The cron data provided does not evaluate to a valid expression.')
  schedule.name = given['name'] as string
  schedule.cron = FIELDS.map((field) => given[field] as string)
  schedule.active = given['is_active'] === true
  schedule.onlineOnly = given['only_when_online'] === true
  return { status: 200, body: scheduleObject(schedule) }
}

function taskSaved(schedule: DoubleSchedule, task: DoubleTask | null, given: Given): Answer {
  const { action, payload, time_offset, continue_on_failure } = given
  if (!['command', 'power', 'backup'].includes(String(action)))
    return invalid('action', 'The selected action is invalid.')
  if (action !== 'backup' && !payload) return invalid('payload', 'The payload field is required.')
  if (typeof time_offset !== 'number' || time_offset < 0 || time_offset > OFFSET_MOST)
    return invalid('time_offset', 'The time offset may not be greater than 900.')
  if (!task && schedule.tasks.length >= TASKS_MOST)
    return error(
      400,
      'ServiceLimitExceededException',
      'Schedules may not have more than 10 tasks associated with them. Creating this task would put this schedule over the limit.',
    )
  const now = task ?? { id: ids++, action: '', payload: '', time_offset: 0, continue_on_failure: false }
  Object.assign(now, {
    action,
    payload: payload ?? '',
    time_offset,
    continue_on_failure: continue_on_failure === true,
  })
  if (!task) schedule.tasks.push(now)
  return { status: 200, body: taskObject(now, schedule.tasks.indexOf(now)) }
}

const taskObject = (task: DoubleTask, at: number) => ({
  object: 'schedule_task',
  attributes: { ...task, sequence_id: at + 1, is_queued: false, created_at: null, updated_at: null },
})

const scheduleObject = ({
  id,
  name,
  cron,
  active,
  onlineOnly,
  processing,
  lastRun,
  tasks,
}: DoubleSchedule) => ({
  object: 'server_schedule',
  attributes: {
    ...{ id, name, cron: Object.fromEntries(FIELDS.map((field, at) => [field, cron[at]])) },
    ...{ is_active: active, is_processing: processing, only_when_online: onlineOnly, last_run_at: lastRun },
    next_run_at: '2026-11-03T05:00:00+01:00',
    // In no order: they have numbers.
    relationships: { tasks: { object: 'list', data: tasks.map(taskObject).reverse() } },
  },
})
