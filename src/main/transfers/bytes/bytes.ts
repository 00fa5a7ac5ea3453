import { type Remote, WorkerThread } from '../../worker-thread.ts'
import type { Methods } from './methods.ts'

/** Hashing and packing, off main's thread. */
export type Bytes = Remote<Methods>

/** Starts the worker thread. Closing breaks off what it does. */
export const openBytes = (): Promise<Bytes> =>
  new WorkerThread('transfer-bytes', new URL('./worker.ts', import.meta.url)).open<Methods>(null)
