import type { RequestContext } from './serve.ts'

/** Heartbeat of a silent stream, in ms: proxies and readers use it to see that it is alive. */
export const HEARTBEAT_MS = 15_000

const ALIVE = Buffer.from(': alive\n\n')

export const toEvent = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** Nothing is prepared before the socket asks; subclasses remember what is due for a reader that stopped. */
export abstract class PushedEvents {
  readonly #stops: (() => void)[] = []
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  #wake: (() => void) | null = null
  #ended = false

  /** What is due next; null after a silent heartbeat interval or at the end. */
  protected abstract next(): Promise<Buffer | null>

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
      { highWaterMark: 0 },
    )
  }

  onEnd(listener: () => void): void {
    this.#stops.push(listener)
  }

  end(lastEvent?: string): void {
    if (this.#ended) return
    this.#let()
    try {
      if (lastEvent !== undefined) this.#controller?.enqueue(Buffer.from(lastEvent))
      this.#controller?.close()
    } catch {
      // Already closed by the other side.
    }
  }

  protected get ended(): boolean {
    return this.#ended
  }

  /** Sends even if the socket has not asked. */
  protected tell(event: string): void {
    if (!this.#ended) this.#controller?.enqueue(Buffer.from(event))
  }

  protected wake(): void {
    this.#wake?.()
  }

  /** Resolves true when something is due or the stream has ended, false after `ms`. */
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

export function eventAnswer(
  stream: { body(): ReadableStream<Uint8Array>; end(): void },
  c: RequestContext,
): Response {
  // If the body is never read, nothing else would end the stream.
  c.env.outgoing.once('close', () => stream.end())
  return new Response(stream.body(), {
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'Transfer-Encoding': 'chunked',
      // Stops nginx and similar proxies from buffering.
      'X-Accel-Buffering': 'no',
    },
  })
}
