import type { CallInput, CallName, CallOutput } from '../../../contract/bridge/calls.ts'
import type { EventName, Events } from '../../../contract/bridge/events.ts'
import type { Outcome, Problem } from '../../../contract/bridge/problem.ts'
import type {
  ConsolePiece,
  StreamedPiece,
  ConsoleState,
  HistoryState,
  LiveUpdates,
  ServerRef,
} from '../../../contract/bridge/values.ts'
import type { Stop, Bridge } from '../../../contract/bridge/bridge.ts'
import { formatLineId, parseLineId } from '../../../contract/rules/line-ids.ts'
import { lastSeq, sizeOf, sliceBatch } from './lines/line-list.ts'

/** For tests: a main that holds the console of one server in memory and keeps to the bridge's rules. */
export class FixtureMain implements Bridge {
  /** All lines and gaps there are, oldest first. */
  readonly pieces: ConsolePiece[] = []
  /** Every `console.page` that was asked for. */
  readonly pages: CallInput<'console.page'>[] = []
  readonly sent: string[] = []
  readonly downloads: CallInput<'transfers.download'>[] = []
  before: string[] = []
  state: ConsoleState = 'live'
  history: HistoryState = { read: true, problem: null }
  asked: LiveUpdates['asked'] = null
  timestamps = false
  /** What the calls of a name answer instead. */
  readonly failing = new Map<CallName, Problem>()
  readonly #listeners = new Map<EventName, Set<(value: never) => void>>()
  readonly #reach = new Set<(reached: boolean) => void>()
  readonly #server: ServerRef
  #watched = false
  watch = 0
  #reached = true

  constructor(server: ServerRef) {
    this.#server = server
  }

  /** A batch of lines that go on from the newest; `text` names a line by its number. */
  make(count: number, epoch = '1', text = (seq: number) => `line ${seq}`): ConsolePiece {
    let first = 1
    for (const piece of this.pieces)
      if (piece.kind === 'lines' && piece.batch.epoch === epoch) first = lastSeq(piece.batch) + 1
    const texts = Array.from({ length: count }, (_, at) => text(first + at))
    const times = texts.map((_, at) => 1_790_000_000_000 + (first + at) * 10)
    return { kind: 'lines', batch: { epoch, firstSeq: first, times, texts, sources: {} } }
  }

  /** Lines that main has and nobody was told of. */
  store(...pieces: ConsolePiece[]): void {
    this.pieces.push(...pieces)
  }

  /** So many lines come too fast to be sent, and after them some that are. */
  passOver(count: number, sent: number): void {
    const passed = this.make(count)
    this.store(passed)
    const end = this.make(sent)
    this.store(end)
    const to = passed.kind === 'lines' ? `${passed.batch.epoch}-${lastSeq(passed.batch)}` : ''
    this.tell({ kind: 'passed', to, count }, end)
  }

  /** Lines that main has and tells the window of. */
  stream(...pieces: ConsolePiece[]): void {
    for (const piece of pieces) {
      this.store(piece)
      this.tell(piece)
    }
  }

  /** Tells the window, whatever main has. */
  tell(...pieces: StreamedPiece[]): void {
    if (this.#watched && this.#reached) this.emit('console', { ...this.#server, watch: this.watch, pieces })
  }

  emit<E extends EventName>(event: E, value: Events[E]): void {
    for (const listener of this.#listeners.get(event) ?? []) (listener as (value: Events[E]) => void)(value)
  }

  /** The socket goes, or stands again. */
  reach(reached: boolean): void {
    this.#reached = reached
    if (!reached) this.#watched = false
    for (const listener of this.#reach) listener(reached)
  }

  on<E extends EventName>(event: E, listener: (value: Events[E]) => void): Stop {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners)
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  onReach(listener: (reached: boolean) => void): Stop {
    this.#reach.add(listener)
    listener(this.#reached)
    return () => this.#reach.delete(listener)
  }

  async call<N extends CallName>(name: N, input: CallInput<N>): Promise<Outcome<CallOutput<N>>> {
    await Promise.resolve()
    const problem = this.failing.get(name)
    if (problem) return { ok: false, problem }
    return { ok: true, value: this.#answer(name, input) as CallOutput<N> }
  }

  /** No console hands files over. */
  upload(): Promise<Outcome<{ transferId: string }>> {
    return Promise.reject(new Error('The console uploads nothing.'))
  }

  #answer(name: CallName, input: unknown): unknown {
    switch (name) {
      case 'settings.read':
        return { theme: 'system', language: 'en', timestamps: this.timestamps }
      case 'settings.change':
        return { theme: 'system', language: 'en', ...(input as object) }
      case 'console.watch':
        this.#watched = true
        return {
          watch: ++this.watch,
          state: this.state,
          history: this.history,
          pieces: this.#newest(input as CallInput<'console.watch'>),
        }
      case 'console.live':
        return { state: this.state, asked: this.asked }
      case 'console.unwatch':
        this.#watched = false
        return undefined
      case 'console.page':
        this.pages.push(input as CallInput<'console.page'>)
        return this.#page(input as CallInput<'console.page'>)
      case 'transfers.download':
        this.downloads.push(input as CallInput<'transfers.download'>)
        return { transferId: 'd' }
      case 'console.commands':
        return this.before
      case 'console.command':
        this.sent.push((input as CallInput<'console.command'>).command)
        return { lineId: null }
      default:
        throw new Error(`The fixture does not answer ${name}.`)
    }
  }

  #newest({ after: last, limit }: CallInput<'console.watch'>): StreamedPiece[] {
    const missed = last === undefined ? null : after(this.pieces, last)
    if (missed && total(missed) <= 5 * limit) return missed
    const pieces = newest(this.pieces, limit)
    return missed ? [{ kind: 'passed', to: last!, count: 0 }, ...pieces] : pieces
  }

  #page(input: CallInput<'console.page'>): CallOutput<'console.page'> {
    if (input.after) {
      const rest = after(this.pieces, input.after)
      const pieces = oldest(rest, input.limit)
      return { pieces, end: total(pieces) === total(rest) }
    }
    const rest = input.before ? before(this.pieces, input.before) : this.pieces
    const pieces = newest(rest, input.limit)
    return { pieces, end: total(pieces) === total(rest) }
  }
}

const total = (pieces: readonly ConsolePiece[]): number =>
  pieces.reduce((sum, piece) => sum + sizeOf(piece), 0)

/** Where a line stands among the pieces: which one, and how far into it. */
function find(pieces: readonly ConsolePiece[], id: string): [number, number] {
  const { epoch, seq } = parseLineId(id)!
  const at = pieces.findIndex(
    (piece) =>
      piece.kind === 'lines' &&
      piece.batch.epoch === epoch &&
      seq >= piece.batch.firstSeq &&
      seq <= lastSeq(piece.batch),
  )
  const piece = pieces[at]
  if (piece?.kind !== 'lines') throw new Error(`The fixture has no line ${id}.`)
  return [at, seq - piece.batch.firstSeq]
}

function before(pieces: readonly ConsolePiece[], id: string): ConsolePiece[] {
  const [at, into] = find(pieces, id)
  return [...pieces.slice(0, at), ...part(pieces[at]!, 0, into)]
}

function after(pieces: readonly ConsolePiece[], id: string): ConsolePiece[] {
  const [at, into] = find(pieces, id)
  return [...part(pieces[at]!, into + 1), ...pieces.slice(at + 1)]
}

function part(piece: ConsolePiece, start: number, end?: number): ConsolePiece[] {
  if (piece.kind !== 'lines') return []
  const batch = sliceBatch(piece.batch, start, end)
  return batch.texts.length > 0 ? [{ kind: 'lines', batch }] : []
}

function newest(pieces: readonly ConsolePiece[], limit: number): ConsolePiece[] {
  const taken: ConsolePiece[] = []
  let left = limit
  for (const piece of pieces.toReversed()) {
    if (left <= 0) break
    const size = sizeOf(piece)
    taken.unshift(...(piece.kind === 'lines' ? part(piece, Math.max(0, size - left)) : [piece]))
    left -= size
  }
  return taken
}

function oldest(pieces: readonly ConsolePiece[], limit: number): ConsolePiece[] {
  const taken: ConsolePiece[] = []
  let left = limit
  for (const piece of pieces) {
    if (left <= 0) break
    taken.push(...(piece.kind === 'lines' ? part(piece, 0, left) : [piece]))
    left -= sizeOf(piece)
  }
  return taken
}

/** All ids of some pieces, for comparing. */
export function idsOf(pieces: readonly ConsolePiece[]): string[] {
  return pieces.flatMap((piece) =>
    piece.kind === 'lines'
      ? piece.batch.texts.map((_, at) =>
          formatLineId({ epoch: piece.batch.epoch, seq: piece.batch.firstSeq + at }),
        )
      : [`gap ${piece.from}..${piece.to}`],
  )
}
