import { type RemoteMethods, WorkerThread } from '../../base/worker-thread.ts'
import type { Methods } from './methods.ts'

export type Bytes = RemoteMethods<Methods>

/** Starts the thread on the first call, and again after it died (`onDeath`). Closing aborts its work. */
export const openBytes = (onDeath: (error: Error) => void = () => undefined): Bytes =>
  new WorkerThread('transfer-bytes', new URL('./worker.ts', import.meta.url), onDeath).openLate<Methods>(null)
