import type { CopyProgress, CopyState } from '../../../../contract/bridge/copy-calls.ts'
import { formatter } from '../../../../contract/messages/formatter.ts'
import { bytes, percent } from '../../../messages/format.ts'
import { locale, t } from '../../../messages/t.svelte.ts'
import { whenOf } from '../list/backup-words.ts'

/** `3:00 AM` */
export const hourWords = (hour: number): string =>
  formatter(Intl.DateTimeFormat, locale(), { timeStyle: 'short' }).format(new Date(2026, 0, 1, hour))

/** Between 0 and 1. */
export const shareOf = (running: CopyProgress): number =>
  running.kind === 'fetching' && running.bytes > 0
    ? Math.min(1, Math.max(0, running.bytesDone / running.bytes))
    : 0

export function doingWords(running: CopyProgress): string {
  if (running.kind !== 'fetching') return t(`local-copy.${running.kind}`)
  const { bytes: total, bytesDone } = running
  return t('local-copy.fetching', { done: bytes(Math.min(bytesDone, total)), total: bytes(total) })
}

/** What there is to say of a server's copies, in a line. */
export function copiesSentence({ on, hour, running, last, isLate, copies }: CopyState, now: number): string {
  if (running)
    return running.kind === 'fetching'
      ? t('local-copy.copying', { percent: percent(Math.floor(shareOf(running) * 100)) })
      : doingWords(running)
  const [newest] = copies
  const at = newest && whenOf({ createdAt: newest.at }, now)
  if (isLate) return t('local-copy.late')
  if (last?.problem) return t('local-copy.last-failed')
  if (!on) return at ? t('local-copy.off-with', { when: at }) : t('local-copy.off')
  const time = hourWords(hour)
  return at ? t('local-copy.nightly-with', { time, when: at }) : t('local-copy.nightly', { time })
}

export const isWrong = ({ running, last, isLate }: CopyState): boolean =>
  running === null && (isLate || Boolean(last?.problem))
