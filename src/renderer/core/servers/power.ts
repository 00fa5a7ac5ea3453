import type { Scope } from '../../../contract/declarations/operation.ts'
import type { Connection, PowerAction, Server } from '../../../contract/bridge/values.ts'
import { t } from '../../messages/t.svelte.ts'
import type { StatusKind } from './status.ts'

export const powerActions = ['start', 'stop', 'restart', 'kill'] as const satisfies readonly PowerAction[]

const scopes: Record<PowerAction, readonly Scope[]> = {
  start: ['control.start'],
  stop: ['control.stop'],
  restart: ['control.start', 'control.stop'],
  kill: ['control.kill'],
}

/** Whether this account may ever do it here. */
export const mayPower = (action: PowerAction, role: Server['role']): boolean =>
  missingScope(role, scopes[action]) === null

/** Why an action is unavailable, or null. Unknown state blocks nothing: the service decides. */
export function powerReason(
  action: PowerAction,
  status: StatusKind,
  role: Server['role'],
  state: Connection['state']['kind'],
  cancels = false,
): string | null {
  if (state !== 'ready') return t('power.no-service')
  const missing = missingScope(role, scopes[action])
  if (missing) return t('power.no-scope', { scope: missing })
  switch (status) {
    case 'unknown':
      return null
    case 'installing':
      return action === 'kill' || (action === 'stop' && cancels) ? null : t('power.installing')
    case 'lost':
      return t('power.lost')
    case 'sleeping':
      return action === 'start' || action === 'stop' ? null : t('power.not-running')
    case 'offline':
    case 'crashed':
      return action === 'start' ? null : t('power.not-running')
    case 'starting':
      if (action === 'start' || action === 'restart') return t('power.starting')
      return null
    case 'online':
      return action === 'start' ? t('power.running') : null
    case 'stopping':
      return action === 'kill' ? null : t('power.stopping')
  }
}

/** The first missing scope. Owners, and accounts with an unknown role, have all. */
export function missingScope(role: Server['role'], wanted: readonly Scope[]): Scope | null {
  if (!Array.isArray(role)) return null
  return wanted.find((scope) => !role.includes(scope)) ?? null
}
