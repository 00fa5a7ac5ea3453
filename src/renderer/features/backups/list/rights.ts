import { missingScope } from '../../../core/servers/power.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { sendsBackups } from '../../../../contract/rules/hosts.ts'
import type { Scope } from '../../../../contract/declarations/operation.ts'

export interface BackupRights {
  create: boolean
  /** To check, name and cancel one, and to look into it; hosts with an API of their own offer none of it. */
  check: boolean
  rename: boolean
  cancel: boolean
  open: boolean
  /** All of it in a file, where a host keeps it. */
  save: boolean
  restore: boolean
  /** As a new server, which is the owner's. */
  restoreAnew: boolean
  /** What is replaced is backed up first. */
  keepsBefore: boolean
  remove: boolean
  settings: boolean
}

/** What an account may do with backups now; the rest isn't offered. */
export function rightsOf({
  server,
  reach,
  connection,
}: Pick<ServerState, 'server' | 'reach' | 'connection'>): BackupRights {
  const isHost = connection?.kind === 'host'
  const role = server?.role
  const may = (...scopes: Scope[]) => reach === 'ready' && missingScope(role, scopes) === null
  return {
    create: may('backups.create'),
    check: !isHost && may('backups.create'),
    rename: !isHost && may('backups.create'),
    cancel: !isHost && may('backups.create'),
    open: !isHost && missingScope(role, ['files.read']) === null,
    save: isHost && sendsBackups(connection.baseUrl) && may('backups.read', 'files.read'),
    restore: may('backups.restore', 'files.write'),
    restoreAnew: may('backups.restore', 'files.read') && !Array.isArray(role),
    keepsBefore: !isHost,
    remove: may('backups.delete'),
    settings: reach === 'ready' && !Array.isArray(role),
  }
}
