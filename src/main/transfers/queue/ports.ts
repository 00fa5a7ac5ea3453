import type { Problem } from '../../../contract/bridge/problem.ts'
import type { ApiClient } from '../../api/client.ts'
import type { Clock } from '../../base/retry.ts'
import type { Log } from '../../logging/log.ts'
import type { Bytes } from '../bytes/bytes.ts'
import type { GrowingFile } from '../sources/growing-file.ts'
import type { Limiter } from './limiter.ts'
import type { ItemRow, TransferRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/** What the queue stands on. */
export interface QueuePorts {
  store: Store
  bytes: Bytes
  limiter: Limiter
  /** Folder that bytes wait in until they are sent: files of a page, copies to a service without tus. */
  spoolFolder: string
  /** Throws `not-found` where there is no such connection. */
  client: (connectionId: string) => ApiClient
  /** A page's file whose bytes still come. */
  growing: (itemId: number) => GrowingFile | null
  /** A page's file stopped coming: it is awaited anew, or fails where its page is gone. */
  gather: (item: ItemRow) => Promise<void>
  clock: Clock
  log: Log
  toProblem: (error: unknown) => Problem
  /** Something moved or changed. `now`: it is worth telling at once. */
  changed: (now: boolean) => void
  /** Files came to be on a server. `now`: the last of them. */
  landed: (transfer: TransferRow, now: boolean) => void
  /** A transfer has ended. */
  ended: (transfer: TransferRow) => void
}
