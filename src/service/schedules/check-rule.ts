import type {
  ScheduleEvent,
  ScheduleStepKind,
  WishedOnly,
  WishedStep,
  WishedWhen,
} from '../../contract/areas/schedule-values.ts'
import { SCHEDULE_EVENTS, SCHEDULE_STEPS } from '../../contract/areas/schedule-values.ts'
import { isTimeZone } from '../../contract/rules/quiet-hours.ts'
import { TIME_LEFT } from '../../contract/rules/schedules.ts'
import { refusal } from '../../host/refusal.ts'
import type { RuleText } from '../store/schedules.ts'
import { dueTimes } from './due-times.ts'

export interface Kinds {
  steps: readonly ScheduleStepKind[]
  events: readonly ScheduleEvent[]
}

/** What rules of a server can have. */
export function kindsFor({ extensions, chat }: Record<'extensions' | 'chat', boolean>): Kinds {
  return {
    steps: SCHEDULE_STEPS.filter(
      (kind) => (extensions || kind !== 'update-extensions') && (chat || kind !== 'message'),
    ),
    events: SCHEDULE_EVENTS,
  }
}

/** Only what belongs to its kinds. Throws 422 at the field. */
export function checkedRule({ when, only, steps, missed }: RuleText, kinds: Kinds, now: number): RuleText {
  return {
    when: checkedWhen(when, now),
    ...(only && { only: checkedOnly(only) }),
    steps: steps.map((step, at) => checkedStep(step, kinds, `steps.${at}.`)),
    missed,
  }
}

function checkedWhen({ cron, timeZone, event, minutes, over, under }: WishedWhen, now: number): WishedWhen {
  if ((cron === undefined) === (event === undefined)) throw refusal(422, 'schedules.invalid.when').at('when')
  if (cron !== undefined) {
    const times = dueTimes(cron, timeZone ?? '', 'when.')
    if (times.after(now) === null) throw refusal(422, 'schedules.invalid.never', { cron }).at('when.cron')
    return { cron, timeZone: timeZone ?? '' }
  }
  if (event === 'empty') {
    if (minutes === undefined) throw refusal(422, 'schedules.invalid.minutes').at('when.minutes')
    return { event, minutes }
  }
  if (event !== 'players') return { event: event! }
  if ((over === undefined) === (under === undefined))
    throw refusal(422, 'schedules.invalid.players').at('when.over')
  return over === undefined ? { event, under } : { event, over }
}

function checkedOnly({ players, online, between }: WishedOnly): WishedOnly {
  if (between && !isTimeZone(between.timeZone))
    throw refusal(422, 'request.invalid.time-zone', { zone: between.timeZone }).at('only.between.timeZone')
  if (between && between.begins === between.ends)
    throw refusal(422, 'schedules.invalid.between').at('only.between.ends')
  return { ...(players && { players }), ...(online && { online }), ...(between && { between }) }
}

function checkedStep(step: WishedStep, kinds: Kinds, field: string): WishedStep {
  const { kind, onFailure } = step
  if (!kinds.steps.includes(kind)) throw refusal(422, 'schedules.not-here').at(`${field}kind`)
  switch (kind) {
    case 'command':
      if (step.command === undefined) throw refusal(422, 'request.invalid.command').at(`${field}command`)
      return { kind, onFailure, command: step.command }
    case 'message':
      return { kind, onFailure, ...checkedMessage(step, field) }
    case 'power':
      if (step.power === undefined) throw refusal(422, 'schedules.invalid.power').at(`${field}power`)
      return { kind, onFailure, power: step.power }
    case 'wait':
      if (step.seconds === undefined) throw refusal(422, 'schedules.invalid.seconds').at(`${field}seconds`)
      return { kind, onFailure, seconds: step.seconds }
    default:
      return { kind, onFailure }
  }
}

function checkedMessage({ text, countdown, language }: WishedStep, field: string) {
  if (text === undefined) throw refusal(422, 'schedules.invalid.text').at(`${field}text`)
  if (countdown === undefined) return { text }
  if (!text.includes(TIME_LEFT))
    throw refusal(422, 'schedules.invalid.countdown', { time: TIME_LEFT }).at(`${field}text`)
  return { text, countdown, ...(language !== undefined && isLanguage(language) && { language }) }
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}
