import {
  mayPass,
  type Problem,
  type ProblemCode,
  RETRY_FIRST_MS,
  RETRY_LATEST_MS,
} from '../../../contract/bridge/problem.ts'
import { backoffMs, type Clock } from '../../base/retry.ts'

/** Problems of the service as a whole, which end a round. */
const ofAll: ReadonlySet<ProblemCode> = new Set(['offline', 'rate-limited', 'signed-out', 'untrusted'])

export interface RetriesPorts {
  clock: Clock
  /** Whether the connection can be used now; its failures wait until then. */
  isReady(connectionId: string): boolean
  isShown(key: string): boolean
  /** Returns the problem, or null. Calls `failed` or `succeeded` first. */
  read(key: string): Promise<Problem | null>
}

interface Line {
  keys: Set<string>
  rounds: number
  /** From `Retry-After`, in ms of `elapsed`, with the problem. */
  notBefore: number
  patience: Problem | null
  waiting: AbortController | null
  running: boolean
}

/** Retries failed reads in rounds per connection, one by one: a service that is down gets one request per pause. */
export class Retries {
  readonly #ports: RetriesPorts
  readonly #lines = new Map<string, Line>()
  #closed = false

  constructor(ports: RetriesPorts) {
    this.#ports = ports
  }

  mayAsk(connectionId: string): boolean {
    return (this.#lines.get(connectionId)?.notBefore ?? 0) <= this.#ports.clock.elapsed()
  }

  failed(connectionId: string, key: string, problem: Problem): void {
    if (this.#closed) return
    const line = this.#line(connectionId)
    if (problem.retryAfter !== undefined) {
      line.notBefore = Math.max(line.notBefore, this.#ports.clock.elapsed() + problem.retryAfter * 1000)
      line.patience = problem
    }
    if (mayPass(problem.code)) line.keys.add(key)
    else line.keys.delete(key)
    this.#plan(connectionId, line)
  }

  /** Null if the view may be read now; else the problem, with the seconds left. The read is then scheduled. */
  wanted(connectionId: string, key: string): Problem | null {
    if (this.mayAsk(connectionId)) return null
    const line = this.#line(connectionId)
    line.keys.add(key)
    this.#plan(connectionId, line)
    const retryAfter = Math.ceil((line.notBefore - this.#ports.clock.elapsed()) / 1000)
    return line.patience && { ...line.patience, retryAfter }
  }

  succeeded(connectionId: string, key: string): void {
    const line = this.#lines.get(connectionId)
    if (line?.keys.delete(key) && line.keys.size > 0) this.#atOnce(connectionId, line)
  }

  /** The network is back: retry now, except where `Retry-After` applies. */
  wake(): void {
    for (const [connectionId, line] of this.#lines) if (line.keys.size > 0) this.#atOnce(connectionId, line)
  }

  forget(connectionId: string, key: string): void {
    this.#lines.get(connectionId)?.keys.delete(key)
  }

  close(): void {
    this.#closed = true
    for (const line of this.#lines.values()) {
      line.keys.clear()
      line.waiting?.abort(new Error('closed'))
    }
    this.#lines.clear()
  }

  #line(connectionId: string): Line {
    let line = this.#lines.get(connectionId)
    if (!line) {
      line = { keys: new Set(), rounds: 0, notBefore: 0, patience: null, waiting: null, running: false }
      this.#lines.set(connectionId, line)
    }
    return line
  }

  #atOnce(connectionId: string, line: Line): void {
    if (line.running) return
    line.rounds = 0
    line.waiting?.abort(new Error('now'))
    line.waiting = null
    if (this.mayAsk(connectionId)) void this.#round(connectionId, line)
    else this.#plan(connectionId, line)
  }

  #plan(connectionId: string, line: Line): void {
    if (line.waiting || line.running || line.keys.size === 0) return
    const { clock } = this.#ports
    const waiting = new AbortController()
    line.waiting = waiting
    const pause = backoffMs(line.rounds, RETRY_FIRST_MS, RETRY_LATEST_MS, clock.random())
    clock
      .sleep(Math.max(pause, line.notBefore - clock.elapsed()), waiting.signal)
      .then(() => {
        line.waiting = null
        // It may have been extended meanwhile.
        if (this.mayAsk(connectionId)) return this.#round(connectionId, line)
        this.#plan(connectionId, line)
      })
      // Only cancellation rejects: reads return their problems.
      .catch(() => undefined)
  }

  async #round(connectionId: string, line: Line): Promise<void> {
    const ports = this.#ports
    line.running = true
    line.rounds++
    for (const key of [...line.keys]) {
      if (!ports.isReady(connectionId)) line.keys.clear()
      if (!ports.isShown(key)) line.keys.delete(key)
      if (!line.keys.has(key)) continue
      const problem = await ports.read(key)
      if (problem && (ofAll.has(problem.code) || !this.mayAsk(connectionId))) break
    }
    line.running = false
    if (line.keys.size === 0) line.rounds = 0
    this.#plan(connectionId, line)
  }
}
