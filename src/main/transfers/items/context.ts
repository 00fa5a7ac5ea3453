import type { FileLimits } from '../../../contract/bridge/values.ts'
import type { Problem } from '../../../contract/bridge/problem.ts'
import type { ApiClient } from '../../api/client.ts'
import type { PanelProblem } from '../../base/problem.ts'
import type { Bytes } from '../bytes/methods.ts'
import type { GrowingFile } from '../sources/growing-file.ts'
import type { Limiter } from '../queue/limiter.ts'
import type { Source } from '../sources/local-file.ts'
import type { Store } from '../store/tables.ts'
import type { ItemChange, ItemRow, TransferRow } from '../store/rows.ts'

/** Result of one item. Other failures are thrown as a `PanelProblem`. */
export type ItemOutcome =
  | { kind: 'done'; finalPath: string | null }
  | { kind: 'skipped' }
  /** The name is taken and nobody has decided yet. */
  | { kind: 'asking' }
  | { kind: 'failed'; problem: Problem }
  /** Changed or temporarily unavailable: retry a few times. */
  | { kind: 'again'; because: PanelProblem }
  /** Not tried; keeps waiting. */
  | { kind: 'later' }
  /** The page stopped sending; await its bytes again. */
  | { kind: 'gathering' }

export interface TransferContext {
  transfer: TransferRow
  /** Client of the destination, or of a download's source. */
  client: ApiClient
  from: ApiClient | null
  limits: FileLimits | null
  store: Store
  bytes: Bytes
  limiter: Limiter
  signal: AbortSignal
  /** Local folder for bytes waiting to be sent. */
  spoolFolder: string
  growing(item: ItemRow): GrowingFile | null
  /** The item's source, the same for every attempt until it ends. */
  source(item: ItemRow, make: () => Source): Source
  release(item: ItemRow): void
  /** Saves a change; confirmed bytes count for the rate. */
  keep(item: ItemRow, change: ItemChange): Promise<void>
}

export function within(folder: string, path: string): string {
  return folder !== '' && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}

/** The actual path on the server; null if it is the requested one. */
export function finalPath(
  { transfer }: Pick<TransferContext, 'transfer'>,
  item: ItemRow,
  at: string,
): string | null {
  const path = within(transfer.folder, at)
  return path === item.path ? null : path
}

export function errorCode(json: unknown): string | null {
  const error = (json as { error?: { code?: unknown } } | null)?.error
  return typeof error?.code === 'string' ? error.code : null
}

export function errorMessage(json: unknown): string | null {
  const error = (json as { error?: { message?: unknown } } | null)?.error
  return typeof error?.message === 'string' && error.message !== '' ? error.message.slice(0, 2000) : null
}
