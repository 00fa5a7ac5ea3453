import type { FileLimits } from '../../../contract/bridge/values.ts'
import type { Problem } from '../../../contract/bridge/problem.ts'
import type { ApiClient } from '../../api/client.ts'
import type { PanelProblem } from '../../base/problem.ts'
import type { Bytes } from '../bytes/bytes.ts'
import type { GrowingFile } from '../sources/growing-file.ts'
import type { Limiter } from '../queue/limiter.ts'
import type { Source } from '../sources/local-file.ts'
import type { Store } from '../store/store.ts'
import type { ItemChange, ItemRow, TransferRow } from '../store/rows.ts'

/** What came of one item. Whatever goes wrong otherwise is thrown as a `PanelProblem`. */
export type Ended =
  | { kind: 'done'; finalPath: string | null }
  /** The name was taken and a person chose to skip it. */
  | { kind: 'skipped' }
  /** The name is taken and nobody has said what to do. */
  | { kind: 'asking' }
  | { kind: 'failed'; problem: Problem }
  /** It changed under us or could not be had just now, so it waits and is tried again, a few times. */
  | { kind: 'again'; because: PanelProblem }
  /** Its turn did not come: it waits, as if nothing had been tried. */
  | { kind: 'later' }
  /** Its bytes stopped coming from the page: they are awaited anew. */
  | { kind: 'gathering' }

/** What moving one item, or a batch, works with. */
export interface TransferContext {
  transfer: TransferRow
  /** Client of the server it goes to, or comes from for a download. */
  client: ApiClient
  /** Of a copy: client of the server it comes from. */
  from: ApiClient | null
  /** Limits of the server it goes to; null where none can be had. */
  limits: FileLimits | null
  store: Store
  bytes: Bytes
  limiter: Limiter
  signal: AbortSignal
  /** Folder of this computer that bytes wait in until they are sent. */
  spoolFolder: string
  /** A page's file whose bytes still come; null of any other. */
  growing(item: ItemRow): GrowingFile | null
  /** The source of an item, the same at every try until the item has ended. */
  source(item: ItemRow, make: () => Source): Source
  /** Lets go of an item's source: it is not what it was. */
  release(item: ItemRow): void
  /** Keeps a change of an item. Told of confirmed bytes, it counts them for the rate. */
  keep(item: ItemRow, change: ItemChange): Promise<void>
}

/** A path below a server's folder, relative to that folder where it lies within. */
export function within(folder: string, path: string): string {
  return folder !== '' && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}

/** What is kept of where an item came to be on the server: null where that is as it was asked. */
export function finalPath(
  { transfer }: Pick<TransferContext, 'transfer'>,
  item: ItemRow,
  at: string,
): string | null {
  const path = within(transfer.folder, at)
  return path === item.path ? null : path
}

/** Whether an answer's body is an error of this code. */
export function errorCode(json: unknown): string | null {
  const error = (json as { error?: { code?: unknown } } | null)?.error
  return typeof error?.code === 'string' ? error.code : null
}

/** The service's own sentence in an error body. */
export function errorMessage(json: unknown): string | null {
  const error = (json as { error?: { message?: unknown } } | null)?.error
  return typeof error?.message === 'string' && error.message !== '' ? error.message.slice(0, 2000) : null
}
