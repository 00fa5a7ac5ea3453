import { HOST_STATES } from '../../../contract/rules/hosts.ts'
import type { RuntimeStatus, ServerStatus } from '../../../contract/bridge/values.ts'
import { bytes, percent } from '../../messages/format.ts'
import { t } from '../../messages/t.svelte.ts'

/** Statuses with a mark of their own; all others are `unknown`. */
export type StatusKind = Extract<ServerStatus, string> | 'unknown'

export function statusKind(status: ServerStatus | null | undefined): StatusKind {
  if (typeof status === 'string') return status
  const state = hostState(status)
  return state === null ? 'unknown' : HOST_STATES[state]
}

/** What only hosts have, such as `saving`. */
function hostState(
  status: Exclude<ServerStatus, string> | null | undefined,
): keyof typeof HOST_STATES | null {
  const raw = status?.raw ?? ''
  return Object.hasOwn(HOST_STATES, raw) ? (raw as keyof typeof HOST_STATES) : null
}

/** Whether it has a process; none while a host loads or saves its world. */
export function isRunning(status: ServerStatus | null | undefined): boolean {
  return status === 'online' || status === 'starting' || status === 'stopping'
}

export function statusWord(status: ServerStatus | null | undefined): string {
  if (status === null || status === undefined) return t('status.none')
  if (typeof status === 'string') return t(`status.${status}`)
  const state = hostState(status)
  return state === null ? status.raw : t(`status.${state}`)
}

/** Percent, or bytes so far; empty if unknown. Rounds down, so 100 % means complete. */
export function installWord({ done, total }: NonNullable<RuntimeStatus['installation']>): string {
  if (typeof done !== 'number') return ''
  if (total) return percent(Math.floor((100 * Math.min(done, total)) / total))
  return done > 0 ? bytes(done) : ''
}
