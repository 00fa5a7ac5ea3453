import { Dispatcher } from 'undici'

/** What a service answers. */
export interface CannedAnswer {
  status: number
  type: string
  text: string
}

/** Of so many answers one comes over the line. */
const OVER_THE_LINE = 10

/**
 * Tests only: hands a client what a service answers without a line, which costs most of the time where thousands of answers
 * are read. Each tenth call goes the whole way, to a listener that answers the same.
 */
export class InMemoryDispatcher extends Dispatcher {
  readonly #next: () => CannedAnswer
  readonly #line: Dispatcher
  #calls = 0

  /** @param next what a call is answered */
  constructor(next: () => CannedAnswer, line: Dispatcher) {
    super()
    this.#next = next
    this.#line = line
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (++this.#calls % OVER_THE_LINE === 0) return this.#line.dispatch(options, handler)
    const { status, type, text } = this.#next()
    const control = new Control(handler)
    handler.onRequestStart?.(control, {})
    setImmediate(() => {
      if (control.aborted) return
      handler.onResponseStart?.(control, status, { 'content-type': type })
      if (text !== '' && !control.aborted) handler.onResponseData?.(control, Buffer.from(text))
      control.over = true
      if (!control.aborted) handler.onResponseEnd?.(control, {})
    })
    return true
  }
}

class Control implements Dispatcher.DispatchController {
  readonly #handler: Dispatcher.DispatchHandler
  readonly paused = false
  reason: Error | null = null
  over = false

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler
  }

  get aborted(): boolean {
    return this.reason !== null
  }

  abort(reason: Error): void {
    if (this.aborted || this.over) return
    this.reason = reason
    this.#handler.onResponseError?.(this, reason)
  }

  // All of it is there at once.
  pause(): void {}
  resume(): void {}
}
