import type { Logger } from 'pino'

/** Work after the answer, such as mail, so that response times do not reveal whether there is any. */
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

  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending)
  }
}
