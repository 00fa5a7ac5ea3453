/** What a program does with an error that nobody caught. Until `whenRunning` it only says it and ends. */
export interface CrashHandlerPorts {
  /** Tells a person how it stands. */
  tell: (error: Error, how: Ending) => void | Promise<void>
  /** Ends the process. */
  exit: (code: number) => void
}

/** `not-started`: nothing ran yet. `ending`: what runs is being stopped. `ended`: all of it is; `broken-off`: it is not. */
export type Ending = 'not-started' | 'ending' | 'ended' | 'broken-off'

/** What has to be done before the program may go. */
export interface InOrder {
  /** Writes the error down. */
  log: (error: Error) => void
  /** Ends in order: worlds are saved, what waits is kept. */
  end: () => Promise<void>
}

/** How long ending in order may take, ms: a service gives its servers 60 s, and the state is unknown. */
const END_LIMIT = 90_000
/** Further errors that are written down while the program ends. */
const LOGGED_MOST = 20

/**
 * Takes errors that nobody caught, so that no program of ours ends by one without a word. The state is unknown then: the
 * error is written down and told, what runs is stopped in order, and the process ends with code 1. Further errors
 * meanwhile are written down and change nothing.
 */
export class CrashHandler {
  readonly #ports: CrashHandlerPorts
  #inOrder: InOrder | null = null
  #met = 0

  constructor(ports: CrashHandlerPorts) {
    this.#ports = ports
    // Who reads along may close its end (`… | head -1`): no reason to end.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
    process.on('uncaughtException', (error) => void this.meet(error))
    process.on('unhandledRejection', (reason) => void this.meet(reason))
  }

  /** From now on there is something to end in order. */
  whenRunning(inOrder: InOrder): void {
    this.#inOrder = inOrder
  }

  /** Meets an error that nobody caught. Never rejects. */
  async meet(thrown: unknown): Promise<void> {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    if (++this.#met <= LOGGED_MOST) void quietly(() => this.#inOrder?.log(error))
    if (this.#met > 1) return
    if (!this.#inOrder) {
      await quietly(() => this.#ports.tell(error, 'not-started'))
      return this.#ports.exit(1)
    }
    const told = quietly(() => this.#ports.tell(error, 'ending'))
    const ended = await this.#endInOrder(this.#inOrder)
    await told
    await quietly(() => this.#ports.tell(error, ended ? 'ended' : 'broken-off'))
    this.#ports.exit(1)
  }

  async #endInOrder({ end }: InOrder): Promise<boolean> {
    const limit = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => limit.resolve(false), END_LIMIT)
    const ended = Promise.resolve()
      .then(end)
      .then(
        () => true,
        () => false,
      )
    return Promise.race([ended, limit.promise]).finally(() => clearTimeout(timer))
  }
}

/** Does something that must not fail: there is nobody left to tell. */
async function quietly(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch {
    // The error that is being told is the one that matters.
  }
}
