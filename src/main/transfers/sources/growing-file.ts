import { EventEmitter, once } from 'node:events'

/** The bytes of a page's file while they come: what is on this computer already can be sent. */
export class GrowingFile {
  /** Where they gather. */
  readonly path: string
  readonly #told = new EventEmitter()
  #bytes = 0
  #isWhole = false
  #fault: Error | null = null

  constructor(path: string) {
    this.path = path
    // Each reader listens, and there is one for sending and one for hashing.
    this.#told.setMaxListeners(0)
  }

  /** Whether no more will come. */
  get hasFailed(): boolean {
    return this.#fault !== null
  }

  /** So many bytes are written. */
  grew(bytes: number): void {
    if (bytes <= this.#bytes) return
    this.#bytes = bytes
    this.#told.emit('change')
  }

  /** Everything is here, and the queue's file says so. */
  end(): void {
    this.#isWhole = true
    this.#told.emit('change')
  }

  /** No more will come. */
  fail(fault: Error): void {
    this.#fault = fault
    this.#told.emit('change')
  }

  /** Waits until the first so many bytes are written; answers how many are. Throws why no more come, or the abort. */
  async reached(bytes: number, signal?: AbortSignal): Promise<number> {
    await this.#until(() => this.#bytes >= bytes, signal)
    return this.#bytes
  }

  /** Waits until everything is here. Throws why no more come, or the abort. */
  whole(signal?: AbortSignal): Promise<void> {
    return this.#until(() => this.#isWhole, signal)
  }

  async #until(isSo: () => boolean, signal: AbortSignal | undefined): Promise<void> {
    while (!isSo()) {
      if (this.#fault) throw this.#fault
      await once(this.#told, 'change', signal ? { signal } : {})
    }
  }
}
