import type {
  ConsolePiece,
  ConsoleState,
  HistoryState,
  ServerRef,
  StreamedPiece,
} from '../../../../contract/bridge/values.ts'
import type { Stop } from '../../../../contract/bridge/bridge.ts'
import { asProblem, call, on, onReach, type Problem } from '../../../core/bridge.ts'
import { LineSequencer } from './line-sequencer.ts'
import { formatLineId, type LineId } from '../../../../contract/rules/line-ids.ts'
import { lastOf, sizeOf } from './line-list.ts'

/** Lines asked for when a console is opened; older ones are paged in when scrolled to. */
const FIRST_LINES = 2000
/** A hole up to this long is filled before going on. What is longer would fill the whole terminal anyway. */
const FILL_LINES = 10_000
/** Pages it is filled with at most: some services give few lines at once, and lines that come wait meanwhile. */
const FILL_PAGES = 20

/** Where a stream's lines go. */
export interface StreamSink {
  /** The next pieces, in order, each line once. */
  pieces(pieces: readonly ConsolePiece[]): void
  /** The next pieces do not adjoin what came before. The lines between, so many of them new, can be paged in. */
  cut(passed: number): void
  /** How the stream stands; `unreachable` is when main itself cannot be reached. */
  state(state: ConsoleState | 'unreachable'): void
  /** Whether the service's history could be read. */
  history(history: HistoryState): void
  /** Why the console cannot be read at all, or null once it can. */
  problem(problem: Problem | null): void
}

/**
 * A server's lines as they happen. Sees to their order: fills holes from main's archive or the service, drops what
 * came before, and says `cut` where a hole is too long to fill on the way.
 */
export class ConsoleStream {
  readonly #server: ServerRef
  readonly #sink: StreamSink
  readonly #first: number
  readonly #intake = new LineSequencer()
  #stops: Stop[] = []
  /** What arrived while an answer is awaited: of `console.watch`, or of the page that fills a hole. */
  #waiting: StreamedPiece[] | null = []
  /** Whether main can be reached; null until that was said. */
  #reached: boolean | null = null
  #closed = true
  /** Counts the watches, so that an answer of an earlier one is not taken for the present one's. */
  #watch = 0

  /** @param first lines asked for at the beginning */
  constructor(server: ServerRef, sink: StreamSink, first = FIRST_LINES) {
    this.#server = server
    this.#sink = sink
    this.#first = first
  }

  /** Begins, also anew. Lines that come before `console.watch` has answered wait for its older ones. */
  start(): void {
    const { connectionId, serverId } = this.#server
    this.#closed = false
    this.#reached = null
    this.#stops.push(
      on('console', (event) => {
        if (event.serverId !== serverId || event.connectionId !== connectionId) return
        if (event.pieces.length > 0) this.#arrive(event.pieces)
        if (event.state) this.#sink.state(event.state)
        if (event.history) this.#sink.history(event.history)
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

  /** Ends the subscription; calling it twice does nothing. */
  stop(): void {
    if (this.#closed) return
    this.#closed = true
    for (const stop of this.#stops) stop()
    this.#stops = []
    // What comes is asked for once more: those that wait need not.
    this.#watch += 1
    this.#waiting = []
    // The window may be gone already, and with it the need to unwatch.
    call('console.unwatch', this.#server).catch(() => undefined)
  }

  /** Asks main for the newest lines and for those to come. Also after main could not be reached for a while. */
  async watch(): Promise<void> {
    const watch = ++this.#watch
    this.#waiting ??= []
    try {
      const { state, history, pieces } = await call('console.watch', { ...this.#server, limit: this.#first })
      if (this.#closed || watch !== this.#watch) return
      this.#sink.problem(null)
      this.#sink.state(state)
      this.#sink.history(history)
      this.#release(pieces)
    } catch (thrown) {
      if (this.#closed || watch !== this.#watch) return
      this.#sink.problem(asProblem(thrown))
      this.#release([])
    }
  }

  #release(first: readonly ConsolePiece[]): void {
    const waiting = this.#waiting ?? []
    this.#waiting = null
    this.#arrive([...first, ...waiting])
  }

  #arrive(pieces: readonly StreamedPiece[]): void {
    if (this.#waiting) {
      this.#waiting.push(...pieces)
      this.#boundWaiting()
      return
    }
    let ready: ConsolePiece[] = []
    for (let at = 0; at < pieces.length; at++) {
      const taken = this.#intake.take(pieces[at]!)
      if (taken.kind === 'next') ready.push(taken.piece)
      if (taken.kind === 'passed') {
        // What came before it would be written for nobody.
        this.#sink.cut(taken.count + ready.reduce((sum, one) => sum + sizeOf(one), 0))
        ready = []
      }
      if (taken.kind !== 'hole') continue
      if (ready.length > 0) this.#sink.pieces(ready)
      const rest = pieces.slice(at)
      if (taken.missing !== null && taken.missing > FILL_LINES) this.#goOn([], rest)
      else void this.#fill(taken.after, taken.missing ?? FILL_LINES, rest)
      return
    }
    if (ready.length > 0) this.#sink.pieces(ready)
  }

  /** Reads what is missing after a line, then goes on with what arrived meanwhile. */
  async #fill(after: LineId, missing: number, rest: StreamedPiece[]): Promise<void> {
    this.#waiting = rest
    const watch = this.#watch
    const found: ConsolePiece[] = []
    try {
      // A page may hold less than was asked for: what the archive has goes first, the service after it.
      let from: LineId | null = after
      for (let left = missing, pages = 0; left > 0 && from && pages < FILL_PAGES; pages++) {
        const id: string = formatLineId(from)
        const { pieces, end } = await call('console.page', { ...this.#server, after: id, limit: left })
        if (this.#closed || watch !== this.#watch) return
        found.push(...pieces)
        left -= pieces.reduce((sum, piece) => sum + sizeOf(piece), 0)
        const next = end ? null : lastOf(pieces)
        // A service that does not go on after a line gives the same ones again.
        from = next && formatLineId(next) !== id ? next : null
      }
    } catch {
      // Then the lines stay where they are, and are paged in when scrolled to.
    }
    if (this.#closed || watch !== this.#watch) return
    const waiting = this.#waiting
    this.#waiting = null
    this.#goOn(found, waiting)
  }

  /** Goes on behind a hole with what was found of it. What then still does not adjoin is cut. */
  #goOn(found: readonly ConsolePiece[], rest: StreamedPiece[]): void {
    for (const piece of found) {
      let taken = this.#intake.take(piece)
      if (taken.kind === 'hole') {
        // Main has looked and has nothing in between: these lines are gone.
        if (taken.missing !== null) this.#sink.pieces([gapAfter(taken.after, taken.missing)])
        taken = this.#intake.take(piece, true)
      }
      if (taken.kind === 'next') this.#sink.pieces([taken.piece])
    }
    const first = rest[0]
    if (!first) return
    const taken = this.#intake.take(first)
    if (taken.kind === 'next') this.#sink.pieces([taken.piece])
    if (taken.kind === 'passed') this.#sink.cut(taken.count)
    if (taken.kind === 'hole') {
      this.#sink.cut(0)
      const anyway = this.#intake.take(first, true)
      if (anyway.kind === 'next') this.#sink.pieces([anyway.piece])
    }
    this.#arrive(rest.slice(1))
  }

  /** While an answer is awaited the newest lines are enough: the older ones are in the archive. */
  #boundWaiting(): void {
    if (!this.#waiting || this.#waiting.length < 2) return
    let lines = 0
    for (let at = this.#waiting.length - 1; at >= 0; at--) {
      const piece = this.#waiting[at]!
      // Beyond those that were passed over nothing is needed.
      lines += piece.kind === 'passed' ? Infinity : sizeOf(piece)
      if (lines > 2 * FILL_LINES) {
        this.#waiting = this.#waiting.slice(piece.kind === 'passed' ? at : at + 1)
        return
      }
    }
  }
}

function gapAfter({ epoch, seq }: LineId, missing: number): ConsolePiece {
  return {
    kind: 'gap',
    from: formatLineId({ epoch, seq: seq + 1 }),
    to: formatLineId({ epoch, seq: seq + missing }),
  }
}
