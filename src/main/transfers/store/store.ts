import { StartProblem } from '../../../computer/start-problem.ts'
import { openWorker, type Remote } from '../worker-link.ts'
import type { Tables } from './tables.ts'

/** The queue on disk; each method is answered by a worker thread. */
export type Store = Remote<Tables>

/** Opens the queue's file. Throws StartProblem where it cannot be opened. */
export async function openStore(file: string): Promise<{ store: Store; close: () => Promise<void> }> {
  try {
    const { remote, end } = await openWorker<Tables>(
      'transfer-store',
      new URL('./worker.ts', import.meta.url),
      {
        file,
      },
    )
    return {
      store: remote,
      close: async () => {
        await remote.close().catch(() => undefined)
        await end()
      },
    }
  } catch (error) {
    throw new StartProblem('data-not-readable', error instanceof Error ? error.message : String(error))
  }
}
