import type { Backup, KeepRule } from '../../../../contract/areas/backups.ts'
import { formatter } from '../../../../contract/messages/formatter.ts'
import { duration, percent } from '../../../messages/format.ts'
import { locale, said, t } from '../../../messages/t.svelte.ts'

/** `Nov 28, 6:04 AM`; with its year if it is another one. */
export function dayAndTime(at: string, now: number): string {
  const date = new Date(at)
  const isThisYear = date.getFullYear() === new Date(now).getFullYear()
  return formatter(Intl.DateTimeFormat, locale(), {
    ...{ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
    ...(!isThisYear && { year: 'numeric' }),
  } as const).format(date)
}

function day(at: string, now: number): string {
  const date = new Date(at)
  const isThisYear = date.getFullYear() === new Date(now).getFullYear()
  return formatter(Intl.DateTimeFormat, locale(), {
    ...{ month: 'short', day: 'numeric' },
    ...(!isThisYear && { year: 'numeric' }),
  } as const).format(date)
}

const DAY = 24 * 60 * 60 * 1000

/** `Today, 6:04 AM`, `Yesterday, 6:04 AM`, else the day. */
export function whenOf({ createdAt }: Pick<Backup, 'createdAt'>, now: number): string {
  if (!createdAt) return t('backup.no-time')
  const date = new Date(createdAt)
  const isOf = (ms: number) => date.toDateString() === new Date(ms).toDateString()
  const time = () => formatter(Intl.DateTimeFormat, locale(), { timeStyle: 'short' }).format(date)
  if (isOf(now)) return t('backup.today', { time: time() })
  return isOf(now - DAY) ? t('backup.yesterday', { time: time() }) : dayAndTime(createdAt, now)
}

/** For sentences: the day and the time, or its name. */
export const momentOf = ({ createdAt, name }: Backup, now: number): string =>
  createdAt ? dayAndTime(createdAt, now) : (name ?? t('backup.no-time'))

export function causeOf({ cause, change }: Backup): string {
  if (typeof cause !== 'string') return cause.raw
  if (cause !== 'before-change') return t(`backup.cause-${cause}`)
  return typeof change === 'string' ? t(`backup.before-${change}`) : t('backup.before-change')
}

export function triedOf({ tried }: Backup, now: number): string | null {
  if (!tried) return null
  const { result, seconds, at } = tried
  if (typeof result !== 'string') return result.raw
  const date = day(at, now)
  switch (result) {
    case 'started':
      return typeof seconds === 'number'
        ? t('backup.tried-started-in', { time: duration(seconds * 1000), date })
        : t('backup.tried-started', { date })
    case 'sound':
      return t('backup.tried-sound', { date })
    case 'damaged':
      return t('backup.tried-damaged')
    case 'not-started':
      return t('backup.tried-not-started', { date })
  }
}

/** Places that hold a copy. */
export function placesOf({ targets }: Backup): string | null {
  const names = (targets ?? []).filter(({ error }) => !error).map(({ id, name }) => name ?? id)
  if (names.length === 0) return null
  return formatter(Intl.ListFormat, locale(), { style: 'short', type: 'unit' }).format(names)
}

/** One sentence for each place that could not take a copy yet. */
export const notCopied = ({ targets }: Backup): string[] =>
  (targets ?? []).flatMap(({ id, name, error }) =>
    error ? [t('backup.not-copied', { place: name ?? id, reason: said(error) })] : [],
  )

export const isWrong = ({ tried }: Backup): boolean =>
  tried?.result === 'damaged' || tried?.result === 'not-started'

/** Whether something is being done with it now. */
export const isBusy = ({ state, progress }: Backup): boolean =>
  state === 'waiting' || state === 'running' || Boolean(progress)

/** Between 0 and 1; null if unknown. */
export function shareOf({ progress }: Backup): number | null {
  const { done, total } = progress ?? {}
  if (typeof done !== 'number' || typeof total !== 'number' || total <= 0) return null
  return Math.min(1, Math.max(0, done / total))
}

export function doingOf(backup: Backup): string {
  const kind = backup.progress?.kind ?? 'backup'
  if (backup.state === 'waiting' && !backup.progress) return t('backup.waiting')
  const what = typeof kind === 'string' ? t(`backup.doing-${kind}`) : kind.raw
  const share = shareOf(backup)
  return share === null ? what : t('backup.doing', { what, percent: percent(Math.floor(share * 100)) })
}

export function failureOf({ error }: Backup): string {
  return error ? said(error) : t('backup.failed')
}

export const KEPT = ['last', 'hourly', 'daily', 'weekly', 'monthly'] as const satisfies (keyof KeepRule)[]

/** What is kept, as one sentence. */
export function keepSentence(keep: KeepRule): string {
  const parts = KEPT.filter((key) => keep[key] > 0).map((key) =>
    t(`backup.keep-${key}`, { count: keep[key] }),
  )
  if (parts.length === 0) return t('backup.keeps-newest')
  const rule = formatter(Intl.ListFormat, locale(), { style: 'short', type: 'unit' }).format(parts)
  return t('backup.keeps', { rule })
}
