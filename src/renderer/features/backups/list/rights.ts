import { missingScope } from '../../../core/servers/power.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import type { Scope } from '../../../../contract/declarations/operation.ts'

export interface BackupRights {
  create: boolean
  open: boolean
  restore: boolean
  /** As a new server, which is the owner's. */
  restoreAnew: boolean
  remove: boolean
  settings: boolean
}

/** What an account may do with backups now; the rest isn't offered. */
export function rightsOf({ server, reach }: Pick<ServerState, 'server' | 'reach'>): BackupRights {
  const role = server?.role
  const may = (...scopes: Scope[]) => reach === 'ready' && missingScope(role, scopes) === null
  return {
    create: may('backups.create'),
    open: missingScope(role, ['files.read']) === null,
    restore: may('backups.restore', 'files.write'),
    restoreAnew: may('backups.restore', 'files.read') && !Array.isArray(role),
    remove: may('backups.delete'),
    settings: reach === 'ready' && !Array.isArray(role),
  }
}
