import { StartProblem } from '../../computer/start-problem.ts'
import { type Remote, WorkerThread } from '../worker-thread.ts'

/** A database of the panel. */
export interface Wanted {
  database: 'cache' | 'transfers'
  file: string
}

/** The databases of a panel. They share one worker thread, since each thread costs some 9 MB, but no fault. */
export class Databases {
  readonly #thread: WorkerThread

  /** @param onDeath told where their thread died of an error; the next call starts it again */
  constructor(onDeath: (error: Error) => void = () => undefined) {
    this.#thread = new WorkerThread('databases', new URL('./worker.ts', import.meta.url), onDeath)
  }

  /** Opens a database; answers its methods. Throws StartProblem where it cannot be opened. */
  async open<T extends { close(): void }>(wanted: Wanted): Promise<Remote<T>> {
    try {
      return await this.#thread.open<T>(wanted)
    } catch (error) {
      throw new StartProblem('data-not-readable', error instanceof Error ? error.message : String(error))
    }
  }
}
