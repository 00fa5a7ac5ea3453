import { isFault } from '../../host/app-database.ts'
import { StartProblem, type StartProblemCode } from '../../host/start-problem.ts'
import { type Remote, WorkerThread } from '../base/worker-thread.ts'

/** A database of the panel. */
export interface Wanted {
  database: 'cache' | 'transfers'
  file: string
}

/** What every database answers, whatever it holds. */
export interface Kept {
  wasMade(): boolean
  stillThere(): boolean
  begunAnew(): string | null
  toldBegunAnew(): void
  close(): void
}

/**
 * What befell a database while it was in use. `removed`: its file is gone, and is written again from what is open when the
 * panel ends. `lost`: nothing was open when the file went, so an empty one took its place.
 */
export type Trouble = 'damaged' | 'removed' | 'lost'

/** A database failed while it was in use, for a reason that lies in its file. */
export class DatabaseTrouble extends Error {
  override name = 'DatabaseTrouble'
  readonly file: string

  constructor(file: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.file = file
  }
}

/** How often it is looked whether the files are still there, in ms. */
const LOOK_MS = 10_000

export interface DatabasesOptions {
  /** Told of each file and each kind of trouble once. */
  onTrouble?: (trouble: Trouble, file: string) => void
  /** Told where their thread died of an error; the next call starts it again. */
  onDeath?: (error: Error) => void
  /**
   * Told of a database that was begun anew because it could not be used, and where the old file lies: at each opening, by a
   * thread that was started again too, until `read` says that a person knows.
   */
  onBegunAnew?: (wanted: Wanted, aside: string, read: () => Promise<void>) => void
  /** How often it is looked whether the files are still there, in ms. */
  lookMs?: number
  /** The program of their thread; another one in tests. */
  source?: URL
}

/** The databases of a panel. They share one worker thread, since each thread costs some 9 MB, but no fault. */
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

  /** Opens a database; answers its methods, which reject with DatabaseTrouble. Throws StartProblem where it cannot be opened. */
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
        // Where the thread has died meanwhile the next look starts it again.
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
