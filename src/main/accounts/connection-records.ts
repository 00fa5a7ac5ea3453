import type { Connection } from '../../contract/bridge/values.ts'

/** Who is signed in, as far as the service told. */
export interface RecordUser {
  /** Id of the account at its service; null where only a token was pasted and the service does not tell whose. */
  id: string | null
  name: string | null
  email: string | null
}

/** What is kept of a connection between starts. Never its token. */
export interface ConnectionRecord {
  /** Random; cache and keychain are keyed by it. */
  id: string
  kind: 'service'
  name: string
  baseUrl: string
  user: RecordUser | null
  expiresAt: string | null
  tokenKept: Connection['tokenKept']
}

/** Where records are kept. */
export interface ConnectionRecords {
  all(): Promise<ConnectionRecord[]>
  /** Adds, or replaces the one with the same id. */
  save(record: ConnectionRecord): Promise<void>
  remove(id: string): Promise<void>
}
