import type { z } from 'zod'
import { Command } from '../../contract/areas/console.ts'
import type { Schedule, WishedStep } from '../../contract/areas/schedule-values.ts'
import { asOneLine } from '../../contract/messages/one-line.ts'
import { hostRefusal } from '../base/adapter.ts'
import type { PanelTask } from './answers.ts'

type Step = z.input<typeof Schedule>['steps'][number]

/** Seconds before a task. */
const OFFSET_MOST = 900
const WORD_MOST = 60

/** A task as it is sent. */
export interface TaskText {
  action: string
  payload: string
  time_offset: number
  continue_on_failure: boolean
}

const isPower = (word: string): word is 'start' | 'stop' | 'restart' =>
  word === 'start' || word === 'stop' || word === 'restart'

/** Whether our steps can say what it does. Others, such as killing, are shown by the host's word for them. */
export function isKnownTask(task: PanelTask | null): task is PanelTask {
  if (!task) return false
  const { action, payload } = task
  if (action === 'backup') return true
  if (action === 'power') return isPower(payload ?? '')
  return action === 'command' && Command.safeParse(payload).data === payload
}

/** A task that waits is two steps. Null: it couldn't be read. */
export function stepsOf(tasks: readonly (PanelTask | null)[]): Step[] {
  return tasks.flatMap((task): Step[] => {
    if (!task) return [{ kind: '?' }]
    const { action, payload, time_offset: seconds, continue_on_failure } = task
    const onFailure = continue_on_failure ? 'continue' : 'stop'
    if (!isKnownTask(task)) {
      const word = asOneLine((action === 'power' && payload) || action.replaceAll('_', ' '))
      return [{ kind: word.slice(0, WORD_MOST), onFailure }]
    }
    const wait: Step[] = seconds ? [{ kind: 'wait', onFailure: 'stop', seconds }] : []
    if (action === 'command') return [...wait, { kind: 'command', onFailure, command: payload }]
    return [
      ...wait,
      action === 'power' ? { kind: 'power', onFailure, power: payload } : { kind: 'backup', onFailure },
    ]
  })
}

/** `before`: what backups leave out stays theirs, in order. Throws what the host has no task for. */
export function tasksOf(steps: readonly WishedStep[], before: readonly PanelTask[] = []): TaskText[] {
  const ignored = before.filter(({ action }) => action === 'backup').map(({ payload }) => payload ?? '')
  const tasks: TaskText[] = []
  let offset = 0
  for (const { kind, onFailure, command, power, seconds } of steps) {
    if (kind === 'wait') {
      offset += seconds ?? 0
      continue
    }
    if (offset > OFFSET_MOST) throw hostRefusal(422, 'host.schedule-wait')
    const own = { time_offset: offset, continue_on_failure: onFailure === 'continue' }
    if (kind === 'command' && command !== undefined) tasks.push({ action: kind, payload: command, ...own })
    else if (kind === 'power' && power !== undefined) tasks.push({ action: kind, payload: power, ...own })
    else if (kind === 'backup') tasks.push({ action: kind, payload: ignored.shift() ?? '', ...own })
    else throw hostRefusal(422, 'schedules.not-here')
    offset = 0
  }
  if (offset > 0) throw hostRefusal(422, 'host.schedule-wait')
  return tasks
}

export const isSameTask = (task: PanelTask, text: TaskText): boolean =>
  task.action === text.action &&
  (task.payload ?? '') === text.payload &&
  (task.time_offset ?? 0) === text.time_offset &&
  (task.continue_on_failure ?? false) === text.continue_on_failure
