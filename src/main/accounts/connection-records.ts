import type { Connection } from '../../contract/bridge/values.ts'
import type { HostChoices } from '../../hosts/hosts.ts'

/** The built-in service's connection. */
export const LOCAL_ID = 'local'

export interface RecordUser {
  /** Account id at its service; null for a pasted token of unknown owner. */
  id: string | null
  name: string | null
  email: string | null
}

/** What is stored of a connection between starts. Never its token. */
export interface ConnectionRecord extends HostChoices {
  /** Random; the key for cache and keychain. */
  id: string
  kind: 'service'
  name: string
  baseUrl: string
  user: RecordUser | null
  expiresAt: string | null
  tokenKept: Connection['tokenKept']
}

export interface ConnectionRecords {
  all(): Promise<ConnectionRecord[]>
  save(record: ConnectionRecord): Promise<void>
  remove(id: string): Promise<void>
}
