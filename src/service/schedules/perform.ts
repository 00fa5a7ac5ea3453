import { refusalText } from '../../contract/messages/refusals/index.ts'
import { asRefusal } from '../files/names/refusals.ts'
import { Refusal, refusal } from '../../host/refusal.ts'
import { pause, type Timers } from '../base/timers.ts'
import type { ScheduleRow, StepOutcome, Sentence } from '../store/schedules.ts'
import { powerStep } from './power-step.ts'
import type { SchedulePorts } from './ports.ts'
import type { WishedStep } from '../../contract/areas/schedule-values.ts'
import { countdownMarks, TIME_LEFT } from '../../contract/rules/schedules.ts'

type Ports = Pick<SchedulePorts, 'runtime' | 'timers' | 'updates' | 'backups' | 'log'>
type Step = ScheduleRow['steps'][number]

/** Whether it changed anything, and what. */
type StepEffect = { names?: readonly string[]; changed: boolean }

/** What a run's earlier steps left for later ones. */
export interface RunState {
  /** Plugins were updated and have not been started with yet. */
  updated: boolean
}

export async function performStep(
  ports: Ports,
  { serverId }: Pick<ScheduleRow, 'serverId'>,
  step: Step,
  state: RunState,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const { kind } = step
  try {
    const { changed, names } = await doStep(ports, serverId, step, state, signal)
    return { kind, result: changed ? 'done' : 'unchanged', ...(names?.length && { names: [...names] }) }
  } catch (error) {
    // The run as a whole was ended.
    signal.throwIfAborted()
    return { kind, result: 'failed', error: toldOf(error, ports, serverId) }
  }
}

async function doStep(
  ports: Ports,
  serverId: string,
  step: Step,
  state: RunState,
  signal: AbortSignal,
): Promise<StepEffect> {
  const { runtime, timers, updates, backups } = ports
  const how = { timers, signal }
  const worked = (names: readonly string[]) => ({ names, changed: names.length > 0 })
  switch (step.kind) {
    case 'command':
      runtime.command(serverId, step.command ?? '')
      return { changed: true }
    case 'message': {
      // Nobody to tell, and nobody to wait for.
      if ((runtime.status(serverId)?.players?.online ?? 0) === 0) return { changed: false }
      await messageStep(step, (text) => runtime.command(serverId, `say ${text}`), how)
      return { changed: true }
    }
    case 'power':
      return { changed: await power(ports, serverId, step.power ?? 'stop', state, signal) }
    case 'wait':
      await pause(timers, (step.seconds ?? 0) * 1000, signal)
      return { changed: true }
    case 'update-extensions': {
      const names = await updates.update(serverId, signal)
      state.updated ||= names.length > 0
      return worked(names)
    }
    case 'backup':
      await backups.backUp(serverId, signal)
      return { changed: true }
    case 'try-backup':
      await backups.tryNewest(serverId, signal)
      return { changed: true }
  }
}

/** Undoes an update that the server does not start with. */
async function power(
  { runtime, timers, updates }: Ports,
  serverId: string,
  action: 'start' | 'stop' | 'restart',
  state: RunState,
  signal: AbortSignal,
): Promise<boolean> {
  const server = runtime.find(serverId)
  try {
    const changed = await powerStep(server, action, { timers, signal })
    if (action !== 'stop') state.updated = false
    return changed
  } catch (error) {
    if (
      !state.updated ||
      action === 'stop' ||
      !(error instanceof Refusal) ||
      error.code !== 'schedules.ended'
    )
      throw error
    state.updated = false
    await updates.undo(serverId)
    await powerStep(server, 'start', { timers, signal }).catch((again: unknown) => {
      signal.throwIfAborted()
      if (again instanceof Refusal) throw refusal(409, 'schedules.undone.not-started')
      throw again
    })
    throw refusal(409, 'schedules.undone')
  }
}

function toldOf(error: unknown, { log }: Ports, serverId: string): Sentence {
  const told = asRefusal(error, '')
  if (told instanceof Refusal && told.told) return told.told
  log.error({ err: error, serverId }, 'a step of a schedule failed')
  const { sentence, values } = refusalText('service.failed')
  return { sentence, values }
}

export function timeLeft(seconds: number, language = 'en'): string {
  const [unit, value] = seconds >= 60 && seconds % 60 === 0 ? ['minute', seconds / 60] : ['second', seconds]
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** Says it in the chat; with a countdown, again as time runs out, and ends with it. */
export async function messageStep(
  { text = '', countdown, language }: Pick<WishedStep, 'text' | 'countdown' | 'language'>,
  say: (text: string) => void,
  { timers, signal }: { timers: Timers; signal: AbortSignal },
): Promise<void> {
  if (countdown === undefined) return say(text)
  const marks = countdownMarks(countdown)
  for (const [at, mark] of marks.entries()) {
    say(text.replaceAll(TIME_LEFT, timeLeft(mark, language)))
    await pause(timers, (mark - (marks[at + 1] ?? 0)) * 1000, signal)
  }
}
