import type { Events } from '../../../../contract/bridge/events.ts'
import type {
  ConsolePiece,
  ConsoleState,
  HistoryState,
  ServerRef,
} from '../../../../contract/bridge/values.ts'
import type { Stop } from '../../../../contract/bridge/bridge.ts'
import { asProblem, call, on, onReach, type Problem } from '../../../core/bridge.ts'
import { formatLineId, type LineId } from '../../../../contract/rules/line-ids.ts'
import { lastOf, sizeOf } from './line-list.ts'

/** Lines requested when opening; older ones are paged in on scrolling. */
const FIRST_LINES = 2000

export interface StreamSink {
  pieces(pieces: readonly ConsolePiece[]): void
  /** The next pieces don't follow the last ones; `passed`: new lines in between, which can be paged in. */
  cut(passed: number): void
  /** `unreachable`: main can't be reached. */
  state(state: ConsoleState | 'unreachable'): void
  history(history: HistoryState): void
  problem(problem: Problem | null): void
}

/** A server's live lines, as main orders them. Watching again continues after the last one. */
export class ConsoleStream {
  readonly #server: ServerRef
  readonly #sink: StreamSink
  readonly #first: number
  #stops: Stop[] = []
  #last: LineId | null = null
  #endsInGap = false
  /** Events of earlier watches are ignored. */
  #watch: number | null = null
  /** Events received before `console.watch` replies. */
  #waiting: Events['console'][] | null = null
  #asked = 0
  #reached: boolean | null = null
  #closed = true

  constructor(server: ServerRef, sink: StreamSink, first = FIRST_LINES) {
    this.#server = server
    this.#sink = sink
    this.#first = first
  }

  /** Starts or restarts. */
  start(): void {
    const { connectionId, serverId } = this.#server
    this.#closed = false
    this.#reached = null
    this.#stops.push(
      on('console', (event) => {
        if (event.serverId !== serverId || event.connectionId !== connectionId) return
        if (this.#waiting) this.#waiting.push(event)
        else this.#take(event)
      }),
      onReach((reached) => {
        if (reached === this.#reached) return
        const before = this.#reached
        this.#reached = reached
        if (reached) void this.watch()
        else if (before) this.#sink.state('unreachable')
      }),
    )
    if (this.#reached === null) void this.watch()
  }

  stop(): void {
    if (this.#closed) return
    this.#closed = true
    for (const stop of this.#stops) stop()
    this.#stops = []
    this.#asked += 1
    // The window may be gone.
    call('console.unwatch', this.#server).catch(() => undefined)
  }

  async watch(): Promise<void> {
    const asked = ++this.#asked
    this.#waiting = []
    const after = this.#last ? formatLineId(this.#last) : undefined
    try {
      const answer = await call('console.watch', { ...this.#server, limit: this.#first, after })
      if (asked !== this.#asked) return
      this.#watch = answer.watch
      this.#sink.problem(null)
      // A gap is sent again if the connection was lost before the lines after it.
      const isAgain = this.#endsInGap && answer.pieces[0]?.kind === 'gap'
      this.#take({ ...this.#server, ...answer, pieces: answer.pieces.slice(isAgain ? 1 : 0) })
    } catch (thrown) {
      if (asked !== this.#asked) return
      this.#sink.problem(asProblem(thrown))
    }
    const waiting = this.#waiting
    this.#waiting = null
    for (const event of waiting) this.#take(event)
  }

  #take({ watch, pieces, state, history }: Events['console']): void {
    if (watch !== this.#watch) return
    if (state) this.#sink.state(state)
    if (history) this.#sink.history(history)
    let ready: ConsolePiece[] = []
    for (const piece of pieces) {
      if (piece.kind === 'passed') {
        this.#sink.cut(piece.count + ready.reduce((sum, one) => sum + sizeOf(one), 0))
        ready = []
      } else ready.push(piece)
    }
    if (ready.length === 0) return
    this.#last = lastOf(ready) ?? this.#last
    this.#endsInGap = ready.at(-1)?.kind === 'gap'
    this.#sink.pieces(ready)
  }
}
