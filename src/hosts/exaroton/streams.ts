export type StreamName = 'console' | 'stats' | 'tick' | 'management'

/** The states in which each is to be had. */
const STATES: Record<StreamName, ReadonlySet<number>> = {
  console: new Set([1, 2, 3, 4]),
  stats: new Set([1]),
  tick: new Set([1]),
  management: new Set([1]),
}
const NAMES = Object.keys(STATES) as StreamName[]
/** What was asked for and didn't begin is asked for again, ms. */
const AGAIN_MS = 15_000

interface StreamPorts {
  start(stream: StreamName): void
  /** The console's run was seen to its end: the process is gone. */
  onRunEnded(): void
}

/** Which streams are wanted, and which run: one is asked for only in a state that has it. */
export class Streams {
  readonly #ports: StreamPorts
  readonly #wanted = new Set<StreamName>(['stats', 'tick'])
  readonly #asked = new Set<StreamName>()
  readonly #running = new Set<StreamName>()
  #again: NodeJS.Timeout | null = null
  #isReady = false
  #isCut = false
  state: number | null = null

  constructor(ports: StreamPorts) {
    this.#ports = ports
  }

  /** Whether this state has a console. */
  get hasConsole(): boolean {
    return this.state !== null && STATES.console.has(this.state)
  }

  isRunning(stream: StreamName): boolean {
    return this.#running.has(stream)
  }

  want(stream: StreamName): void {
    this.#wanted.add(stream)
    this.#start()
  }

  leave(stream: StreamName): void {
    this.#wanted.delete(stream)
  }

  ready(): void {
    this.reset()
    this.#isReady = true
    this.#start()
  }

  /** The machine behind is there again. Without a break before, what was asked for is on its way. */
  connected(): void {
    if (this.#isCut) this.#start()
    this.#isCut = false
  }

  /** The machine behind is gone, and its streams with it. */
  disconnected(): void {
    this.#isCut = true
    this.#forget()
    this.#startLater()
  }

  /** The connection itself broke. */
  reset(): void {
    this.#isReady = false
    this.#isCut = false
    this.#forget()
  }

  entered(state: number): void {
    const isNew = state !== this.state
    this.state = state
    if (!isNew) return
    const wasShown = this.#running.has('console')
    for (const stream of NAMES)
      if (!STATES[stream].has(state)) {
        this.#asked.delete(stream)
        this.#running.delete(stream)
      }
    if (wasShown && !this.#running.has('console')) this.#ports.onRunEnded()
    this.#start()
  }

  /** False if it ran already. */
  started(stream: StreamName): boolean {
    const isNew = !this.#running.has(stream)
    this.#asked.add(stream)
    this.#running.add(stream)
    return isNew
  }

  stopped(stream: StreamName): void {
    this.#running.delete(stream)
    this.#asked.delete(stream)
    this.#startLater()
  }

  close(): void {
    if (this.#again) clearTimeout(this.#again)
    this.reset()
  }

  #forget(): void {
    this.#asked.clear()
    this.#running.clear()
  }

  #start(): void {
    if (!this.#isReady || this.state === null) return
    for (const stream of this.#wanted)
      if (STATES[stream].has(this.state) && !this.#asked.has(stream)) {
        this.#asked.add(stream)
        this.#ports.start(stream)
        this.#startLater()
      }
  }

  #startLater(): void {
    this.#again ??= setTimeout(() => {
      this.#again = null
      for (const stream of this.#asked) if (!this.#running.has(stream)) this.#asked.delete(stream)
      this.#start()
    }, AGAIN_MS).unref()
  }
}
