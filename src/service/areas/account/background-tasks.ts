import type { Logger } from 'pino'

/** Work that the answer does not wait for: mail, so that how long an answer takes does not tell whether there is any. */
export class BackgroundTasks {
  readonly #log: Logger
  readonly #pending = new Set<Promise<void>>()

  constructor(log: Logger) {
    this.#log = log
  }

  do(work: () => Promise<void>): void {
    const done = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .catch((error: unknown) => this.#log.error({ err: error }, 'a mail could not be written'))
      .finally(() => this.#pending.delete(done))
    this.#pending.add(done)
  }

  /** Resolves when all that was promised so far is done. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending)
  }
}
