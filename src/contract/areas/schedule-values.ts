import { z } from 'zod'
import { FailureReason } from '../declarations/errors.ts'
import { idOf, alsoNamed, ID_NAMES } from '../declarations/also-named.ts'
import { openEnum, Time, always, maybe } from '../declarations/operation.ts'
import { fieldError } from '../messages/refusals/field-error.ts'
import { isNameLine } from '../messages/one-line.ts'
import { STEP_COUNT_MOST } from '../rules/schedules.ts'
import { Actor } from './activity.ts'
import { Command } from './console.ts'

export const SCHEDULES_MOST = 50
export const RUNS_KEPT = 200
const NAME_MOST = 60
const MESSAGE_MOST = 200
const CRON_MOST = 100
const DAY_SECONDS = 24 * 60 * 60
const COUNTDOWN_MOST = 60 * 60
const PLAYERS_MOST = 100_000

/** `players`: more or fewer than a number are on. `empty`: nobody has been on for so many minutes. */
export const SCHEDULE_EVENTS = [
  'online',
  'offline',
  'crashed',
  'joined',
  'left',
  'empty',
  'players',
  'backup-failed',
] as const
export type ScheduleEvent = (typeof SCHEDULE_EVENTS)[number]

export const SCHEDULE_STEPS = [
  'command',
  'message',
  'power',
  'wait',
  'update-extensions',
  'backup',
  'try-backup',
] as const
export type ScheduleStepKind = (typeof SCHEDULE_STEPS)[number]

const SchedulePower = z.enum(['start', 'stop', 'restart'])
const whole = (least: number, most: number) => z.number().int().min(least).max(most)

/** A time (`cron` of five fields and `timeZone`) or an event. */
export const WishedWhen = z.object({
  cron: z.string().trim().min(1).max(CRON_MOST).optional(),
  timeZone: z.string().min(1).max(60).optional(),
  event: z.enum(SCHEDULE_EVENTS).optional(),
  /** Of `empty`. */
  minutes: whole(1, 24 * 60).optional(),
  /** Of `players`: one of the two. */
  over: whole(0, PLAYERS_MOST).optional(),
  under: whole(1, PLAYERS_MOST).optional(),
})
export type WishedWhen = z.output<typeof WishedWhen>

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, fieldError('request.invalid.time'))

/** All of it has to be so. */
export const WishedOnly = z.object({
  players: z.enum(['none', 'some']).optional(),
  online: z.boolean().optional(),
  /** Between two times; past midnight if it ends before it begins. */
  between: z.object({ begins: TimeOfDay, ends: TimeOfDay, timeZone: z.string().min(1).max(60) }).optional(),
})
export type WishedOnly = z.output<typeof WishedOnly>

export const WishedStep = z.object({
  kind: z.enum(SCHEDULE_STEPS),
  onFailure: z.enum(['stop', 'continue']),
  command: Command.optional(),
  /** Said in the chat. With a countdown, `{time}` stands for the time that is left. */
  text: z
    .string()
    .trim()
    .min(1, fieldError('schedules.invalid.text'))
    .max(MESSAGE_MOST)
    .refine(isNameLine, fieldError('schedules.invalid.text-line'))
    .optional(),
  /** In seconds. */
  countdown: whole(1, COUNTDOWN_MOST).optional(),
  /** BCP 47: in which language the time that is left is said. */
  language: z.string().min(1).max(35).optional(),
  power: SchedulePower.optional(),
  /** Of `wait`. */
  seconds: whole(1, DAY_SECONDS).optional(),
})
export type WishedStep = z.output<typeof WishedStep>

const ScheduleName = z
  .string()
  .trim()
  .min(1, fieldError('request.invalid.name'))
  .max(NAME_MOST, fieldError('request.invalid.name-long', { most: NAME_MOST }))
  .refine(isNameLine, fieldError('request.invalid.name-line'))

const parts = {
  name: ScheduleName,
  enabled: z.boolean(),
  when: WishedWhen,
  steps: z.array(WishedStep).min(1, fieldError('schedules.invalid.steps')).max(STEP_COUNT_MOST),
  /** What is done if the service was off at the time. */
  missed: z.enum(['run', 'skip']),
}
export const NewSchedule = z.object({ ...parts, only: WishedOnly.optional() })
export type NewSchedule = z.output<typeof NewSchedule>
export const ScheduleChange = z.object({
  name: parts.name.optional(),
  enabled: parts.enabled.optional(),
  when: parts.when.optional(),
  only: WishedOnly.nullable().optional(),
  steps: parts.steps.optional(),
  missed: parts.missed.optional(),
})
export type ScheduleChange = z.output<typeof ScheduleChange>

const Step = z.object({
  kind: openEnum(SCHEDULE_STEPS),
  onFailure: openEnum(['stop', 'continue']).nullish(),
  command: maybe.text,
  text: maybe.text,
  countdown: maybe.number,
  language: maybe.text,
  power: openEnum(['start', 'stop', 'restart']).nullish(),
  seconds: maybe.number,
})
export type ScheduleStep = z.output<typeof Step>

const StepResult = z.object({
  kind: openEnum(SCHEDULE_STEPS),
  /** `unchanged`: it was so already, or there was nothing to do. */
  result: openEnum(['done', 'unchanged', 'failed', 'not-run']),
  error: FailureReason.nullish(),
  /** What it did it to, such as the plugins that were updated. */
  names: z.array(z.string()).nullish(),
})
export type ScheduleStepResult = z.output<typeof StepResult>

/**
 * `started`: nothing tells how it went. `skipped`: its conditions were not met. `missed`: the service was off.
 * `interrupted`: the service ended meanwhile; it is not repeated.
 */
export const RUN_RESULTS = [
  'waiting',
  'running',
  'started',
  'done',
  'failed',
  'skipped',
  'missed',
  'interrupted',
] as const

export const ScheduleRun = alsoNamed(
  z.object({
    id: idOf('schedule-run', z.string().min(1)),
    state: openEnum(RUN_RESULTS),
    at: Time.nullish(),
    endedAt: Time.nullish(),
    /** What began it. */
    cause: openEnum(['time', 'event', 'person']).nullish(),
    by: Actor.nullish(),
    /** How often it was due while the service was off. */
    missed: maybe.count,
    /** Why it was skipped or failed as a whole. */
    error: FailureReason.nullish(),
    steps: z.array(StepResult).nullish(),
  }),
  { id: ID_NAMES, at: ['startedAt', 'started', 'time'], state: ['status', 'outcome'] },
)
export type ScheduleRun = z.output<typeof ScheduleRun>

export const Schedule = alsoNamed(
  z.object({
    id: idOf('schedule', z.string().min(1)),
    name: always.text,
    enabled: maybe.flag,
    when: z.object({
      cron: maybe.text,
      timeZone: maybe.text,
      event: openEnum(SCHEDULE_EVENTS).nullish(),
      minutes: maybe.number,
      over: maybe.number,
      under: maybe.number,
    }),
    only: z
      .object({
        players: openEnum(['none', 'some']).nullish(),
        online: maybe.flag,
        between: z.object({ begins: always.text, ends: always.text, timeZone: maybe.text }).nullish(),
      })
      .nullish(),
    steps: z.array(Step),
    missed: openEnum(['run', 'skip']).nullish(),
    /** Its author: it may do what they may. */
    by: Actor.nullish(),
    /** Why the service turned it off. */
    paused: FailureReason.nullish(),
    nextAt: Time.nullish(),
    last: ScheduleRun.nullish(),
  }),
  {
    id: ID_NAMES,
    name: ['title', 'label'],
    enabled: ['active', 'isEnabled'],
    nextAt: ['nextRun', 'nextRunAt'],
  },
)
export type Schedule = z.output<typeof Schedule>
