import { EventEmitter, once } from 'node:events'

/** A page's file while it arrives: stored bytes can already be sent. */
export class GrowingFile {
  readonly path: string
  readonly #told = new EventEmitter()
  #bytes = 0
  #isWhole = false
  #fault: Error | null = null

  constructor(path: string) {
    this.path = path
    // One listener per reader: sending and hashing.
    this.#told.setMaxListeners(0)
  }

  get hasFailed(): boolean {
    return this.#fault !== null
  }

  grew(bytes: number): void {
    if (bytes <= this.#bytes) return
    this.#bytes = bytes
    this.#told.emit('change')
  }

  end(): void {
    this.#isWhole = true
    this.#told.emit('change')
  }

  fail(fault: Error): void {
    this.#fault = fault
    this.#told.emit('change')
  }

  /** Waits for `bytes` bytes; returns how many there are. Throws the file's failure or the abort reason. */
  async reached(bytes: number, signal?: AbortSignal): Promise<number> {
    await this.#until(() => this.#bytes >= bytes, signal)
    return this.#bytes
  }

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
