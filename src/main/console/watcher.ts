import type {
  ConsolePiece,
  ConsoleState,
  HistoryState,
  ServerRef,
  StreamedPiece,
} from '../../contract/bridge/values.ts'
import { formatLineId, type LineId } from '../../contract/pure/line-ids.ts'
import type { WindowLink } from '../window-link.ts'
import { lastSeq, withoutSeen } from './columns.ts'

/** Above this many waiting bytes a window gets nothing new until it has drained. */
const CLOGGED = 4 * 1024 * 1024
const DRAINED = 512 * 1024
/** How often a clogged window is looked at, in ms. */
const LOOK_AGAIN = 40
/** Lines rush by where more of them come in so many ms: nobody can read them, and they gather until the time is over. */
const RUSH = { lines: 1000, ms: 45 }
/** Lines that gather. Of more than that only the end is sent: before the next are drawn, a window could not show them. */
const GATHERED_MOST = 2000
const END_OF_MORE = 500

type Mode =
  /** The first answer is being put together; what arrives meanwhile waits. */
  | { kind: 'priming'; pieces: ConsolePiece[] }
  /** `since`: when lines were first counted, in ms of the clock; `lines`: how many were sent from then on. */
  | { kind: 'live'; since: number; lines: number }
  /** Lines rush by, or the window does not keep up. */
  | { kind: 'gathering'; gathered: Gathered }
  | { kind: 'ended' }

/**
 * One window that watches one console. What it is sent is in order, and complete but for what it could not have shown: that is
 * said, and lies in the archive, from where it is read when somebody scrolls there.
 */
export class Watcher {
  #mode: Mode = { kind: 'priming', pieces: [] }
  #last: LineId | null = null
  readonly window: WindowLink
  readonly server: ServerRef
  readonly #now: () => number

  constructor(window: WindowLink, server: ServerRef, now: () => number = () => performance.now()) {
    this.window = window
    this.server = server
    this.#now = now
  }

  /** Ends the priming: `pieces` are the first answer, to which what arrived meanwhile is added. */
  primed(pieces: ConsolePiece[]): ConsolePiece[] {
    const waiting = this.#mode.kind === 'priming' ? this.#mode.pieces : []
    for (const piece of pieces) this.#note(piece)
    const all = [...pieces, ...waiting.map((piece) => this.#unseen(piece)).filter((piece) => piece !== null)]
    if (this.#mode.kind !== 'ended') this.#mode = { kind: 'live', since: this.#now(), lines: 0 }
    return all
  }

  take(piece: ConsolePiece): void {
    const mode = this.#mode
    if (mode.kind === 'priming') mode.pieces.push(piece)
    if (mode.kind !== 'live' && mode.kind !== 'gathering') return
    const unseen = this.#unseen(piece)
    if (!unseen) return
    if (mode.kind === 'gathering') return mode.gathered.add(unseen)
    const now = this.#now()
    if (now - mode.since >= RUSH.ms) Object.assign(mode, { since: now, lines: 0 })
    mode.lines += linesIn(unseen)
    const clogged = this.window.pressure() > CLOGGED
    // What comes in one piece goes in one piece: others may come no sooner.
    if (!clogged && (mode.lines <= RUSH.lines || mode.lines === linesIn(unseen))) return this.#send([unseen])
    const gathered = new Gathered()
    gathered.add(unseen)
    this.#mode = { kind: 'gathering', gathered }
    this.#later(clogged ? LOOK_AGAIN : RUSH.ms - (now - mode.since))
  }

  state(state: ConsoleState): void {
    if (this.#mode.kind !== 'ended') this.window.send('console', { ...this.server, pieces: [], state })
  }

  history(history: HistoryState): void {
    if (this.#mode.kind !== 'ended') this.window.send('console', { ...this.server, pieces: [], history })
  }

  end(): void {
    this.#mode = { kind: 'ended' }
  }

  #later(ms: number): void {
    setTimeout(() => this.#release(), ms)
  }

  /** Sends what has gathered once the window takes it, and gathers on for as long as lines rush by. */
  #release(): void {
    if (this.#mode.kind !== 'gathering') return
    if (this.window.pressure() > DRAINED) return this.#later(LOOK_AGAIN)
    const { gathered } = this.#mode
    const count = gathered.lines
    this.#send(gathered.take())
    if (count > RUSH.lines) return this.#later(RUSH.ms)
    this.#mode = { kind: 'live', since: this.#now(), lines: count }
  }

  #send(pieces: StreamedPiece[]): void {
    if (pieces.length > 0) this.window.send('console', { ...this.server, pieces })
  }

  #unseen(piece: ConsolePiece): ConsolePiece | null {
    if (piece.kind === 'gap') return piece
    const { batch } = piece
    const rest = this.#last?.epoch === batch.epoch ? withoutSeen(batch, this.#last.seq) : batch
    if (!rest) return null
    const unseen: ConsolePiece = { kind: 'lines', batch: rest }
    this.#note(unseen)
    return unseen
  }

  #note(piece: ConsolePiece): void {
    if (piece.kind === 'lines') this.#last = { epoch: piece.batch.epoch, seq: lastSeq(piece.batch) }
  }
}

/** Pieces that wait; only the newest lines are kept. */
class Gathered {
  #pieces: ConsolePiece[] = []
  #kept = 0
  #passed: Extract<StreamedPiece, { kind: 'passed' }> | null = null
  /** Lines since the last time it was taken. */
  lines = 0

  add(piece: ConsolePiece): void {
    this.#pieces.push(piece)
    this.#kept += linesIn(piece)
    this.lines += linesIn(piece)
    if (this.#kept > GATHERED_MOST) this.#passOver(this.#kept - END_OF_MORE)
  }

  take(): StreamedPiece[] {
    const taken = this.#passed ? [this.#passed, ...this.#pieces] : this.#pieces
    Object.assign(this, { lines: 0 })
    this.#pieces = []
    this.#kept = 0
    this.#passed = null
    return taken
  }

  /** Lets go of the oldest lines, and of the marks before and among them: where they are missing the archive tells again. */
  #passOver(count: number): void {
    let left = count
    while (left > 0) {
      const piece = this.#pieces[0]!
      const lines = linesIn(piece)
      const rest = piece.kind === 'lines' && lines > left ? withoutFirst(piece, left) : null
      const gone = rest ? left : lines
      if (piece.kind === 'lines') {
        const to = formatLineId({ epoch: piece.batch.epoch, seq: piece.batch.firstSeq + gone - 1 })
        this.#passed = { kind: 'passed', to, count: (this.#passed?.count ?? 0) + gone }
      }
      if (rest) this.#pieces[0] = rest
      else this.#pieces.shift()
      this.#kept -= gone
      left -= gone
    }
  }
}

const linesIn = (piece: ConsolePiece): number => (piece.kind === 'lines' ? piece.batch.texts.length : 0)

function withoutFirst(
  { batch }: Extract<ConsolePiece, { kind: 'lines' }>,
  count: number,
): ConsolePiece | null {
  const rest = withoutSeen(batch, batch.firstSeq + count - 1)
  return rest && { kind: 'lines', batch: rest }
}
