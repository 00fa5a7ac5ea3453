import type { RuntimeStatus, ServerStatus } from '../../../contract/bridge/values.ts'
import { bytes, percent } from '../../messages/format.ts'
import { t } from '../../messages/t.svelte.ts'

/** Statuses with a mark of their own; all others are `unknown`. */
export type StatusKind = Extract<ServerStatus, string> | 'unknown'

export function statusKind(status: ServerStatus | null | undefined): StatusKind {
  return typeof status === 'string' ? status : 'unknown'
}

export function isRunning(kind: StatusKind): boolean {
  return kind === 'online' || kind === 'starting' || kind === 'stopping'
}

export function statusWord(status: ServerStatus | null | undefined): string {
  if (status === null || status === undefined) return t('status.none')
  return typeof status === 'string' ? t(`status.${status}`) : status.raw
}

/** Percent, or bytes so far; empty if unknown. Rounds down, so 100 % means complete. */
export function installWord({ done, total }: NonNullable<RuntimeStatus['installation']>): string {
  if (typeof done !== 'number') return ''
  if (total) return percent(Math.floor((100 * Math.min(done, total)) / total))
  return done > 0 ? bytes(done) : ''
}
