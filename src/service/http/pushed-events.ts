/** A stream that is silent says so as often, in milliseconds: proxies and readers tell by it that it lives. */
export const HEARTBEAT_MS = 15_000

const ALIVE = Buffer.from(': alive\n\n')

/** An event on the wire. */
export const toEvent = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/**
 * The body of an answer that events are pushed into. Nothing is prepared before the socket asks for it: what a reader that
 * stops reading leaves behind is what its kind of stream remembers as due.
 */
export abstract class PushedEvents {
  readonly #stops: (() => void)[] = []
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  #wake: (() => void) | null = null
  #ended = false

  /** What is due, as soon as there is something; null where nothing was for the heartbeat's time, or where it has ended. */
  protected abstract next(): Promise<Buffer | null>

  /** The body of the answer. */
  body(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: async (controller) => {
          const event = await this.next()
          if (!this.#ended) controller.enqueue(event ?? ALIVE)
        },
        cancel: () => this.#let(),
      },
      // Nothing is encoded ahead of the socket.
      { highWaterMark: 0 },
    )
  }

  /** Calls back once, when the stream has ended, by whichever side. */
  onEnd(listener: () => void): void {
    this.#stops.push(listener)
  }

  /** Ends the stream, so that the other side comes again. */
  end(lastEvent?: string): void {
    if (this.#ended) return
    this.#let()
    try {
      if (lastEvent !== undefined) this.#controller?.enqueue(Buffer.from(lastEvent))
      this.#controller?.close()
    } catch {
      // The other side was faster.
    }
  }

  protected get ended(): boolean {
    return this.#ended
  }

  /** Tells at once, whether or not the socket has asked. */
  protected tell(event: string): void {
    if (!this.#ended) this.#controller?.enqueue(Buffer.from(event))
  }

  /** Something is due. */
  protected wake(): void {
    this.#wake?.()
  }

  /** Resolves with true when something is due or over, with false after so many milliseconds. */
  protected wait(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (heard: boolean) => {
        clearTimeout(timer)
        this.#wake = null
        resolve(heard)
      }
      const timer = setTimeout(() => done(false), ms)
      this.#wake = () => done(true)
    })
  }

  #let(): void {
    this.#ended = true
    for (const stop of this.#stops.splice(0)) stop()
    this.#wake?.()
  }
}
