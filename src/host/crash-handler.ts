interface CrashHandlerPorts {
  tell: (error: Error, how: ShutdownPhase) => void | Promise<void>
  exit: (code: number) => void
}

/** `ending`: shutting down. `ended`: shutdown completed. `broken-off`: it didn't. */
export type ShutdownPhase = 'not-started' | 'ending' | 'ended' | 'broken-off'

interface OrderlyShutdown {
  log: (error: Error) => void
  end: () => Promise<void>
}

/** Limit for an orderly shutdown in ms: a service gives its servers 60 s, and our state is unknown. */
const END_LIMIT = 90_000
const LOGGED_MOST = 20

/** Logs and reports uncaught errors, shuts down in order and exits with code 1. The state is unknown by then. */
export class CrashHandler {
  readonly #ports: CrashHandlerPorts
  #inOrder: OrderlyShutdown | null = null
  #met = 0

  constructor(ports: CrashHandlerPorts) {
    this.#ports = ports
    // The reader may close its end (`… | head -1`), which is no reason to exit.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
    process.on('uncaughtException', (error) => void this.meet(error))
    process.on('unhandledRejection', (reason) => void this.meet(reason))
  }

  whenRunning(inOrder: OrderlyShutdown): void {
    this.#inOrder = inOrder
  }

  /** Never rejects. */
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

  async #endInOrder({ end }: OrderlyShutdown): Promise<boolean> {
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

async function quietly(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch {
    // The original error matters more.
  }
}

/** Signals that request an orderly exit. SIGBREAK is Ctrl-Break on Windows. */
export const endingSignals: readonly NodeJS.Signals[] = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  ...(process.platform === 'win32' ? (['SIGBREAK'] as const) : []),
]
