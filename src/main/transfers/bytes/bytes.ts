import { type Remote, WorkerThread } from '../../base/worker-thread.ts'
import type { Methods } from './methods.ts'

/** Hashing and packing, off main's thread. */
export type Bytes = Remote<Methods>

/**
 * The worker thread starts with the first thing it is asked. Closing breaks off what it does.
 * @param onDeath told where it died of an error; the next call starts it again
 */
export const openBytes = (onDeath: (error: Error) => void = () => undefined): Bytes =>
  new WorkerThread('transfer-bytes', new URL('./worker.ts', import.meta.url), onDeath).openLate<Methods>(null)
