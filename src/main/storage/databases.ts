import { isFault } from '../../host/app-database.ts'
import { StartProblem, type StartProblemCode } from '../../host/start-problem.ts'
import { type Remote, WorkerThread } from '../base/worker-thread.ts'

export interface Wanted {
  database: 'cache' | 'transfers'
  file: string
}

export interface Kept {
  wasMade(): boolean
  stillThere(): boolean
  begunAnew(): string | null
  toldBegunAnew(): void
  close(): void
}

/** `removed`: rewritten from memory at exit. `lost`: the file went while closed, so an empty one replaced it. */
export type Trouble = 'damaged' | 'removed' | 'lost'

/** A database failed in use because of its file. */
export class DatabaseTrouble extends Error {
  override name = 'DatabaseTrouble'
  readonly file: string

  constructor(file: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.file = file
  }
}

const LOOK_MS = 10_000

export interface DatabasesOptions {
  onTrouble?: (trouble: Trouble, file: string) => void
  onDeath?: (error: Error) => void
  /** Repeats at each opening of a replaced database, until `read`. `aside`: path of the old file. */
  onBegunAnew?: (wanted: Wanted, aside: string, read: () => Promise<void>) => void
  lookMs?: number
  source?: URL
}

/** All databases share one worker thread (about 9 MB each), but no faults. */
export class Databases {
  readonly #thread: WorkerThread
  readonly #onTrouble: (trouble: Trouble, file: string) => void
  readonly #onBegunAnew: NonNullable<DatabasesOptions['onBegunAnew']>
  readonly #lookMs: number

  constructor(options: DatabasesOptions = {}) {
    const { onTrouble = () => {}, onDeath = () => {}, onBegunAnew = () => {}, lookMs = LOOK_MS } = options
    const source = options.source ?? new URL('../panel/database-worker.ts', import.meta.url)
    this.#thread = new WorkerThread('databases', source, onDeath)
    this.#onTrouble = onTrouble
    this.#onBegunAnew = onBegunAnew
    this.#lookMs = lookMs
  }

  /** Methods reject with DatabaseTrouble. Throws StartProblem if it cannot be opened. */
  async open<T extends Kept>(wanted: Wanted): Promise<Remote<T>> {
    const { file } = wanted
    const told = new Set<Trouble>()
    const tell = (trouble: Trouble) => {
      if (told.has(trouble)) return
      told.add(trouble)
      this.#onTrouble(trouble, file)
    }
    const heard = (error: Error): Error => {
      if (!isFault(error)) return error
      tell('damaged')
      return new DatabaseTrouble(file, error)
    }
    try {
      const remote: Remote<T> = await this.#thread.open<T>(wanted, { heard, again: () => void tellAgain() })
      const kept = remote as unknown as Remote<Kept>
      const tellAgain = async () => {
        if (await kept.wasMade().catch(() => false)) tell('lost')
        await tellNew()
      }
      const tellNew = async () => {
        const aside = await kept.begunAnew().catch(() => null)
        if (aside !== null) this.#onBegunAnew(wanted, aside, () => kept.toldBegunAnew())
      }
      await tellNew()
      const looking = setInterval(() => {
        // If the thread died, the next check restarts it.
        remote.stillThere().then(
          (there) => there || tell('removed'),
          () => undefined,
        )
      }, this.#lookMs)
      looking.unref()
      const { close } = remote
      return Object.assign(remote, {
        close: () => {
          clearInterval(looking)
          return close()
        },
      })
    } catch (error) {
      const { message = String(error), code } = (error ?? {}) as { message?: string; code?: string }
      throw new StartProblem(isStartCode(code) ? code : 'data-not-readable', message, { cause: error })
    }
  }
}

const isStartCode = (code: unknown): code is StartProblemCode => code === 'data-from-the-future'
