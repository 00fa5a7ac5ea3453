import type { Connection, Server } from '../../../../contract/bridge/values.ts'
import { t } from '../../../messages/t.svelte.ts'
import { missingScope } from '../../../core/servers/power.ts'

export type Right = 'read' | 'write' | 'delete'

export function rightReason(
  right: Right,
  role: Server['role'],
  reach: Connection['state']['kind'],
): string | null {
  if (reach !== 'ready') return t('power.no-service')
  const scope = missingScope(role, [`files.${right}`])
  return scope ? t('power.no-scope', { scope }) : null
}

/** Whether the account has the right at all, whatever the service's state. */
export const isAllowed = (right: Right, role: Server['role']): boolean =>
  missingScope(role, [`files.${right}`]) === null
