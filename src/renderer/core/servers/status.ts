import type { RuntimeStatus, ServerStatus } from '../../../contract/bridge/values.ts'
import { bytes, percent } from '../../messages/format.ts'
import { t } from '../../messages/t.svelte.ts'

/** The statuses that have a mark of their own; whatever else a service says is `unknown`. */
export type StatusKind = Extract<ServerStatus, string> | 'unknown'

/** The kind of a status; a missing one is unknown. */
export function statusKind(status: ServerStatus | null | undefined): StatusKind {
  return typeof status === 'string' ? status : 'unknown'
}

/** Whether a server's program runs while it stands so, and may write its files. */
export function isRunning(kind: StatusKind): boolean {
  return kind === 'online' || kind === 'starting' || kind === 'stopping'
}

/** The status word. A status that this panel does not know is shown as the service wrote it. */
export function statusWord(status: ServerStatus | null | undefined): string {
  if (status === null || status === undefined) return t('status.none')
  return typeof status === 'string' ? t(`status.${status}`) : status.raw
}

/**
 * How far an installation is: a percentage, or the bytes so far; empty where nobody tells. Nothing is rounded up: 100 % is
 * said of what is there whole.
 */
export function installWord({ done, total }: NonNullable<RuntimeStatus['installation']>): string {
  if (typeof done !== 'number') return ''
  if (total) return percent(Math.floor((100 * Math.min(done, total)) / total))
  return done > 0 ? bytes(done) : ''
}
