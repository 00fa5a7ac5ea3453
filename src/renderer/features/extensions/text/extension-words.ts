import type { Server } from '../../../../contract/bridge/values.ts'
import { t } from '../../../messages/t.svelte.ts'
import { missingScope } from '../../../core/servers/power.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { folderOf, nounOf } from './noun.ts'

const catalogs: Readonly<Record<string, string>> = { modrinth: 'Modrinth', hangar: 'Hangar' }

export function catalogName(catalog: string | { raw: string } | null | undefined): string | null {
  if (!catalog) return null
  const id = typeof catalog === 'string' ? catalog : catalog.raw
  return (Object.hasOwn(catalogs, id) ? catalogs[id] : undefined) ?? id
}

export function emptyText(server: Server | null | undefined): string {
  if (folderOf(nounOf(server)) !== null) return t('extensions.empty-text')
  const isUnknown = server?.software?.id === 'custom' && !server.software.loadsAs
  return t(isUnknown ? 'extensions.empty-unknown' : 'extensions.empty-unfit')
}

export function versionName({ name, channel }: { name: string; channel?: unknown }): string {
  if (channel === 'snapshot') return t('extensions.version-beta', { version: name })
  return channel === 'experimental' ? t('extensions.version-alpha', { version: name }) : name
}

export function packReason(server: ServerState): string | null {
  if (server.reach !== 'ready') return t('power.no-service')
  const scope = missingScope(server.server?.role, ['software.write'])
  if (scope) return t('power.no-scope', { scope })
  if (server.kind === 'installing') return t('modpacks.at-work')
  return server.isRunning ? t('modpacks.stop-first') : null
}
