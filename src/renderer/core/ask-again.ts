import { mayPass, RETRY_FIRST_MS, RETRY_LATEST_MS } from '../../contract/bridge/problem.ts'
import { on, type ProblemData } from './bridge.ts'

/** Retries reads outside main's cache: with growing pauses, after the service's delay, and on reconnect. */
export class ReadRetry {
  readonly #connectionId: string
  readonly #ask: () => void
  #failures = 0
  /** Monotonic, ms. */
  #notBefore = 0
  #timer: ReturnType<typeof setTimeout> | null = null
  #pending = false
  #ready = true
  #started = false

  constructor(connectionId: string, ask: () => void) {
    this.#connectionId = connectionId
    this.#ask = ask
  }

  start(): () => void {
    this.#started = true
    if (this.#pending) this.#plan()
    const stop = on('connections', (list) => {
      const ready = list.find(({ id }) => id === this.#connectionId)?.state.kind === 'ready'
      if (ready && !this.#ready && this.#pending) this.#now()
      this.#ready = ready
    })
    return () => {
      stop()
      this.#started = false
      this.#clear()
    }
  }

  failed(problem: ProblemData): void {
    this.#pending = mayPass(problem.code)
    if (problem.retryAfter !== undefined) this.#notBefore = performance.now() + problem.retryAfter * 1000
    if (this.#pending && this.#started) this.#plan()
  }

  succeeded(): void {
    this.#pending = false
    this.#failures = 0
    this.#clear()
  }

  #plan(): void {
    this.#clear()
    const longest = Math.min(RETRY_FIRST_MS * 2 ** this.#failures++, RETRY_LATEST_MS)
    const pause = longest / 2 + (longest / 2) * Math.random()
    this.#timer = setTimeout(() => this.#now(), Math.max(pause, this.#notBefore - performance.now()))
  }

  #now(): void {
    this.#clear()
    if (performance.now() < this.#notBefore) return this.#plan()
    this.#ask()
  }

  #clear(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}
