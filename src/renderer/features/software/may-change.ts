import { isStopped } from '../../../contract/rules/stopped.ts'
import { missingScope } from '../../core/servers/power.ts'
import type { ServerState } from '../../core/servers/server-state.svelte.ts'
import { t } from '../../messages/t.svelte.ts'

export function whyNot(server: ServerState, owner = false): string | null {
  if (server.reach !== 'ready') return t('power.no-service')
  const role = server.server?.role
  if (owner && Array.isArray(role)) return t('software.owner')
  const missing = missingScope(role, ['software.write'])
  if (missing) return t('software.no-scope', { scope: missing })
  if (server.kind === 'installing') return t('software.setting-up')
  return isStopped(server.kind) || server.kind === 'unknown' ? null : t('software.not-stopped')
}

export const softwareName = (
  software: { id: string; name?: string | null; version?: string | null } | null | undefined,
): string =>
  software
    ? [software.name ?? software.id, software.version].filter(Boolean).join(' ')
    : t('software.unknown')
