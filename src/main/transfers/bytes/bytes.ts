import { type Remote, WorkerThread } from '../../worker-thread.ts'
import type { Methods } from './methods.ts'

/** Hashing and packing, off main's thread. */
export type Bytes = Remote<Methods>

/**
 * Starts the worker thread. Closing breaks off what it does.
 * @param onDeath told where it died of an error; the next call starts it again
 */
export const openBytes = (onDeath: (error: Error) => void = () => undefined): Promise<Bytes> =>
  new WorkerThread('transfer-bytes', new URL('./worker.ts', import.meta.url), onDeath).open<Methods>(null)
