import { isFault } from '../../host/app-database.ts'
import { StartProblem, type StartProblemCode } from '../../host/start-problem.ts'
import { type RemoteMethods, WorkerThread } from '../base/worker-thread.ts'

export interface DatabaseLocation {
  database: 'cache' | 'transfers'
  file: string
}

export interface DatabaseHandle {
  begunAnew(): string | null
  toldBegunAnew(): void
  close(): void
}

/** A database failed in use because of its file. */
export class DatabaseFileError extends Error {
  override name = 'DatabaseFileError'
  readonly file: string

  constructor(file: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.file = file
  }
}

export interface DatabasesOptions {
  /** Once for each opening. */
  onDamage?: (file: string) => void
  onDeath?: (error: Error) => void
  /** Repeats at each opening of a replaced database, until `read`. `aside`: path of the old file. */
  onBegunAnew?: (wanted: DatabaseLocation, aside: string, read: () => Promise<void>) => void
  source?: URL
}

/** All databases share one worker thread (about 9 MB each), but no faults. */
export class Databases {
  readonly #thread: WorkerThread
  readonly #onDamage: (file: string) => void
  readonly #onBegunAnew: NonNullable<DatabasesOptions['onBegunAnew']>

  constructor(options: DatabasesOptions = {}) {
    const { onDamage = () => {}, onDeath = () => {}, onBegunAnew = () => {} } = options
    const source = options.source ?? new URL('../panel/database-worker.ts', import.meta.url)
    this.#thread = new WorkerThread('databases', source, onDeath)
    this.#onDamage = onDamage
    this.#onBegunAnew = onBegunAnew
  }

  /** Methods reject with DatabaseFileError. Throws StartProblem if it cannot be opened. */
  async open<T extends DatabaseHandle>(wanted: DatabaseLocation): Promise<RemoteMethods<T>> {
    const { file } = wanted
    let isTold = false
    const heard = (error: Error): Error => {
      if (!isFault(error)) return error
      if (!isTold) this.#onDamage(file)
      isTold = true
      return new DatabaseFileError(file, error)
    }
    try {
      const remote: RemoteMethods<T> = await this.#thread.open<T>(wanted, {
        heard,
        again: () => void tellNew(),
      })
      const kept = remote as unknown as RemoteMethods<DatabaseHandle>
      const tellNew = async () => {
        const aside = await kept.begunAnew().catch(() => null)
        if (aside !== null) this.#onBegunAnew(wanted, aside, () => kept.toldBegunAnew())
      }
      await tellNew()
      return remote
    } catch (error) {
      const { message = String(error), code } = (error ?? {}) as { message?: string; code?: string }
      throw new StartProblem(isStartCode(code) ? code : 'data-not-readable', message, { cause: error })
    }
  }
}

const isStartCode = (code: unknown): code is StartProblemCode => code === 'data-from-the-future'
