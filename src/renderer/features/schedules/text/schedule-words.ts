import type { Schedule, ScheduleRun, ScheduleStep } from '../../../../contract/areas/schedule-values.ts'
import { formatter } from '../../../../contract/messages/formatter.ts'
import { duration } from '../../../messages/format.ts'
import { locale, t } from '../../../messages/t.svelte.ts'
import { plainTime } from './plain-times.ts'

const STEPS_SHOWN = 4
const TEXT_SHOWN = 60

const short = (text: string | null | undefined): string => {
  const all = text ?? ''
  return all.length > TEXT_SHOWN ? `${all.slice(0, TEXT_SHOWN)}…` : all
}

export const here = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** `05:00` as people write it here; what is no time as it is. */
export function timeOfDay(time: string): string {
  if (!/^\d\d?:\d\d$/.test(time)) return short(time)
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return formatter(Intl.DateTimeFormat, locale(), { timeStyle: 'short' }).format(
    new Date(2000, 0, 1, hour, minute),
  )
}

/** The first of January 2023 was a Sunday. */
export const dayName = (day: string): string =>
  formatter(Intl.DateTimeFormat, locale(), { weekday: 'long' }).format(new Date(2023, 0, 1 + Number(day)))

/** A clock elsewhere is named; one that isn't told is the host's. */
const zoneWords = (timeZone: string | null | undefined): string =>
  timeZone === here() ? '' : ` (${timeZone?.replaceAll('_', ' ') || t('schedules.host-zone')})`

export function whenWords({ cron, timeZone, event, minutes, over, under }: Schedule['when']): string {
  if (cron) {
    const plain = plainTime(cron)
    if (!plain) return t('schedules.cron', { cron: short(cron) }) + zoneWords(timeZone)
    if (plain.kind === 'hours') return t('schedules.hours', { count: Number(plain.every) })
    const time = timeOfDay(plain.time) + zoneWords(timeZone)
    return plain.kind === 'weekly'
      ? t('schedules.weekly', { day: dayName(plain.day), time })
      : t(`schedules.${plain.kind}`, { time })
  }
  if (!event) return '?'
  if (typeof event !== 'string') return short(event.raw)
  if (event === 'empty') return t('schedules.on-empty', { count: minutes ?? 0 })
  if (event !== 'players') return t(`schedules.on-${event}`)
  return typeof under === 'number'
    ? t('schedules.on-under', { count: under })
    : t('schedules.on-over', { count: over ?? 0 })
}

export function onlyWords(only: Schedule['only']): string {
  const { players, online, between } = only ?? {}
  const parts = [
    players === 'none' || players === 'some' ? t(`schedules.if-${players}`) : null,
    online ? t('schedules.if-online') : null,
    between
      ? t('schedules.if-between', {
          begins: timeOfDay(between.begins),
          ends: timeOfDay(between.ends) + zoneWords(between.timeZone),
        })
      : null,
  ]
  return parts.filter((one) => one !== null).join(', ')
}

export function stepWords({ kind, command, text, countdown, power, seconds }: Partial<ScheduleStep>): string {
  if (typeof kind !== 'string') return t('schedules.do-unknown', { step: short(kind?.raw) })
  switch (kind) {
    case 'command':
      return t('schedules.do-command', { command: short(command) })
    case 'message':
      return countdown
        ? t('schedules.do-countdown', { time: duration(countdown * 1000) })
        : t('schedules.do-message', { text: short(text) })
    case 'power':
      return typeof power === 'string' ? t(`schedules.do-power-${power}`) : t('schedules.do-power')
    case 'wait':
      return t('schedules.do-wait', { time: duration((seconds ?? 0) * 1000) })
    default:
      return t(`schedules.do-${kind}`)
  }
}

/** “Every day at 5:00, if nobody is on: restart”. */
export function sentenceOf({ when, only, steps: all }: Pick<Schedule, 'when' | 'only' | 'steps'>): string {
  const shown = all.slice(0, STEPS_SHOWN).map(stepWords)
  const more = all.length - shown.length
  if (more > 0) shown.push(t('schedules.more-steps', { count: more }))
  const steps = shown.join(', ')
  const condition = onlyWords(only)
  return condition
    ? t('schedules.sentence-if', { when: whenWords(when), only: condition, steps })
    : t('schedules.sentence', { when: whenWords(when), steps })
}

export const resultWords = (
  result: ScheduleRun['state'] | NonNullable<ScheduleRun['steps']>[number]['result'] | undefined,
): string => (typeof result === 'string' ? t(`schedules.result-${result}`) : short(result?.raw) || '–')

export const isBad = (result: unknown): boolean => result === 'failed' || result === 'interrupted'
