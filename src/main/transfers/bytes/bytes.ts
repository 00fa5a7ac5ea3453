import { openWorker, type Remote } from '../worker-link.ts'
import type { Methods } from './methods.ts'

/** Hashing and packing, off main's thread. */
export type Bytes = Remote<Methods>

/** Starts the worker thread. */
export async function openBytes(): Promise<{ bytes: Bytes; close: () => Promise<void> }> {
  const { remote, end } = await openWorker<Methods>(
    'transfer-bytes',
    new URL('./worker.ts', import.meta.url),
    {},
  )
  return { bytes: remote, close: end }
}
