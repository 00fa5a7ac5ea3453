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

/** Lines requested when opening; older ones are paged in on scrolling. */
const FIRST_LINES = 2000
/** Longest gap to fill; more would replace the whole terminal anyway. */
const FILL_LINES = 10_000
/** Most pages per gap: some services return few lines, and new ones wait meanwhile. */
const FILL_PAGES = 20

export interface StreamSink {
  pieces(pieces: readonly ConsolePiece[]): void
  /** The next pieces don't follow the last ones; `passed`: new lines in between, which can be paged in. */
  cut(passed: number): void
  /** `unreachable`: main can't be reached. */
  state(state: ConsoleState | 'unreachable'): void
  history(history: HistoryState): void
  problem(problem: Problem | null): void
}

/** A server's live lines, in order and once: gaps are filled, or reported as `cut` if too long. */
export class ConsoleStream {
  readonly #server: ServerRef
  readonly #sink: StreamSink
  readonly #first: number
  readonly #intake = new LineSequencer()
  #stops: Stop[] = []
  /** Lines received while waiting for `console.watch` or a page that fills a gap. */
  #waiting: StreamedPiece[] | null = []
  #reached: boolean | null = null
  #closed = true
  /** Counts watches, to ignore replies to earlier ones. */
  #watch = 0

  constructor(server: ServerRef, sink: StreamSink, first = FIRST_LINES) {
    this.#server = server
    this.#sink = sink
    this.#first = first
  }

  /** Starts or restarts. Lines received before `console.watch` replies wait for the older ones. */
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

  stop(): void {
    if (this.#closed) return
    this.#closed = true
    for (const stop of this.#stops) stop()
    this.#stops = []
    // Waiting lines will be requested again.
    this.#watch += 1
    this.#waiting = []
    // The window may be gone.
    call('console.unwatch', this.#server).catch(() => undefined)
  }

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

  async #fill(after: LineId, missing: number, rest: StreamedPiece[]): Promise<void> {
    this.#waiting = rest
    const watch = this.#watch
    const found: ConsolePiece[] = []
    try {
      // Pages may be short: the archive's lines come first, then the service's.
      let from: LineId | null = after
      for (let left = missing, pages = 0; left > 0 && from && pages < FILL_PAGES; pages++) {
        const id: string = formatLineId(from)
        const { pieces, end } = await call('console.page', { ...this.#server, after: id, limit: left })
        if (this.#closed || watch !== this.#watch) return
        found.push(...pieces)
        left -= pieces.reduce((sum, piece) => sum + sizeOf(piece), 0)
        const next = end ? null : lastOf(pieces)
        // A service that ignores `after` repeats the same lines.
        from = next && formatLineId(next) !== id ? next : null
      }
    } catch {
      // The gap remains and is paged in on scrolling.
    }
    if (this.#closed || watch !== this.#watch) return
    const waiting = this.#waiting
    this.#waiting = null
    this.#goOn(found, waiting)
  }

  /** Continues after a gap with what was found; any remaining gap is cut. */
  #goOn(found: readonly ConsolePiece[], rest: StreamedPiece[]): void {
    for (const piece of found) {
      let taken = this.#intake.take(piece)
      if (taken.kind === 'hole') {
        // Main found nothing in between: these lines are lost.
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

  /** Only the newest lines need to wait; older ones are in the archive. */
  #boundWaiting(): void {
    if (!this.#waiting || this.#waiting.length < 2) return
    let lines = 0
    for (let at = this.#waiting.length - 1; at >= 0; at--) {
      const piece = this.#waiting[at]!
      // Nothing before passed lines is needed.
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
