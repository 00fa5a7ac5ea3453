import type { Problem } from '../../../contract/bridge/problem.ts'
import type { ApiClient } from '../../api/client.ts'
import type { Clock } from '../../base/retry.ts'
import type { Log } from '../../logging/log.ts'
import type { Bytes } from '../bytes/methods.ts'
import type { GrowingFile } from '../sources/growing-file.ts'
import type { Limiter } from './limiter.ts'
import type { ItemRow, TransferRow } from '../store/rows.ts'
import type { Store } from '../store/tables.ts'

export interface QueuePorts {
  store: Store
  bytes: Bytes
  limiter: Limiter
  /** For bytes waiting to be sent: pages' files, and copies to services without tus. */
  spoolFolder: string
  /** Throws `not-found` for an unknown connection. */
  client: (connectionId: string) => ApiClient
  growing: (itemId: number) => GrowingFile | null
  gather: (item: ItemRow) => Promise<void>
  clock: Clock
  log: Log
  toProblem: (error: unknown) => Problem
  /** `now`: report immediately. */
  changed: (now: boolean) => void
  /** Files arrived on a server. `now`: the last of them. */
  landed: (transfer: TransferRow, now: boolean) => void
  ended: (transfer: TransferRow) => void
}
