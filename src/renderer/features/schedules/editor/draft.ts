import type {
  NewSchedule,
  Schedule,
  ScheduleEvent,
  ScheduleStep,
  ScheduleStepKind,
} from '../../../../contract/areas/schedule-values.ts'
import { TIME_LEFT } from '../../../../contract/rules/schedules.ts'
import { needed } from '../../../core/checks.ts'
import { currentLanguage, t, type Words } from '../../../messages/t.svelte.ts'
import { cronOf, plainTime } from '../text/plain-times.ts'
import { here } from '../text/schedule-words.ts'

export const TIMES = ['daily', 'weekdays', 'weekly', 'hours'] as const
export type WhenKind = (typeof TIMES)[number] | Exclude<ScheduleEvent, 'players'> | 'over' | 'under'

/** A rule while it is written: what isn't chosen is kept too. */
export interface Draft {
  name: string
  enabled: boolean
  when: WhenKind
  time: string
  day: string
  every: string
  /** Instead of the plain choice. */
  cron: string
  /** Empty: the host's own, of which nothing else is known. Such a host knows neither other conditions nor missed runs. */
  timeZone: string
  minutes: number
  players: number
  onlyPlayers: 'any' | 'none' | 'some'
  onlyOnline: boolean
  between: boolean
  begins: string
  ends: string
  steps: StepDraft[]
  missed: 'run' | 'skip'
}

export interface StepDraft {
  id: number
  kind: ScheduleStepKind
  command: string
  text: string
  /** Seconds; `0`: none. */
  countdown: string
  power: 'start' | 'stop' | 'restart'
  seconds: string
  onFailure: 'stop' | 'continue'
}

let ids = 0
export const newStep = (kind: ScheduleStepKind, more: Partial<StepDraft> = {}): StepDraft => ({
  ...{ id: ids++, kind, command: '', text: '', countdown: '0' },
  ...{ power: 'restart', seconds: '60', onFailure: 'stop' },
  ...more,
})

export const emptyDraft = (more: Partial<Draft> = {}): Draft => ({
  ...{ name: '', enabled: true, when: 'daily', time: '05:00', day: '1', every: '6', cron: '' },
  ...{ timeZone: here(), minutes: 15, players: 0, onlyPlayers: 'any', onlyOnline: false },
  ...{ between: false, begins: '22:00', ends: '06:00', steps: [], missed: 'skip' },
  ...more,
})

/** Unknown parts of another service become the usual ones. */
export function draftOf({ name, enabled, when, only, steps, missed }: Schedule): Draft {
  const { players, online, between } = only ?? {}
  return emptyDraft({
    ...{ name, enabled: enabled !== false, missed: missed === 'run' ? 'run' : 'skip' },
    ...whenOf(when),
    ...(players === 'none' || players === 'some' ? { onlyPlayers: players } : {}),
    onlyOnline: online === true,
    ...(between && { between: true, begins: between.begins, ends: between.ends }),
    steps: steps.flatMap(stepOf),
  })
}

function whenOf({ cron, timeZone, event, minutes, over, under }: Schedule['when']): Partial<Draft> {
  if (cron) {
    const { kind, ...plain } = plainTime(cron) ?? { kind: 'daily' as const, cron }
    return { when: kind, ...plain, ...(timeZone ? { timeZone } : {}) }
  }
  if (typeof event !== 'string') return {}
  if (event !== 'players') return { when: event, ...(minutes ? { minutes } : {}) }
  return typeof under === 'number' ? { when: 'under', players: under } : { when: 'over', players: over ?? 0 }
}

function stepOf({ kind, command, text, countdown, power, seconds, onFailure }: ScheduleStep): StepDraft[] {
  if (typeof kind !== 'string') return []
  return [
    newStep(kind, {
      ...{ command: command ?? '', text: text ?? '', countdown: String(countdown ?? 0) },
      ...(typeof power === 'string' && { power }),
      ...(seconds ? { seconds: String(seconds) } : {}),
      onFailure: onFailure === 'continue' ? 'continue' : 'stop',
    }),
  ]
}

/** Null for events. */
export function cronIn({ when, cron, time, day, every }: Draft): string | null {
  if (cron.trim() !== '') return cron.trim()
  if (when === 'hours') return cronOf({ kind: when, every })
  if (when === 'weekly') return cronOf({ kind: when, day, time })
  return when === 'daily' || when === 'weekdays' ? cronOf({ kind: when, time }) : null
}

export function scheduleIn(draft: Draft): NewSchedule {
  const { name, enabled, onlyPlayers, onlyOnline, between, begins, ends, timeZone, missed } = draft
  return {
    ...{ name: name.trim(), enabled, missed, when: whenIn(draft) },
    only: {
      ...(onlyPlayers !== 'any' && { players: onlyPlayers }),
      ...(onlyOnline && { online: true }),
      ...(between && { between: { begins, ends, timeZone } }),
    },
    steps: draft.steps.map(stepIn),
  }
}

function whenIn(draft: Draft): NewSchedule['when'] {
  const cron = cronIn(draft)
  const { when, timeZone, minutes, players } = draft
  if (cron !== null) return { cron, ...(timeZone && { timeZone }) }
  if (when === 'over' || when === 'under') return { event: 'players', [when]: players }
  return { event: when as ScheduleEvent, ...(when === 'empty' && { minutes }) }
}

function stepIn({ kind, command, text, countdown, power, seconds, onFailure }: StepDraft) {
  switch (kind) {
    case 'command':
      return { kind, onFailure, command }
    case 'message': {
      const counts = countdown === '0' ? {} : { countdown: Number(countdown), language: currentLanguage() }
      return { kind, onFailure, text, ...counts }
    }
    case 'power':
      return { kind, onFailure, power }
    case 'wait':
      return { kind, onFailure, seconds: Number(seconds) }
    default:
      return { kind, onFailure }
  }
}

/** What is wrong, by the service's field names. */
export function checksOf({ name, steps }: Draft): Record<string, Words | null> {
  const ofSteps = steps.flatMap(({ kind, command, text, countdown }, at): [string, Words | null][] => {
    if (kind === 'command') return [[`steps.${at}.command`, needed(command)]]
    if (kind !== 'message') return []
    const lacks = countdown !== '0' && !text.includes(TIME_LEFT)
    const missing = () => t('schedules.countdown-missing', { time: TIME_LEFT })
    return [[`steps.${at}.text`, needed(text) ?? (lacks ? missing : null)]]
  })
  const others = ['when.cron', 'when.timeZone', 'when.minutes', 'only.between.ends', 'only.between.begins']
  return {
    ...{ name: needed(name), steps: null },
    ...Object.fromEntries(others.map((field) => [field, null])),
    ...Object.fromEntries(ofSteps),
  }
}
