import type {
  ConsolePiece,
  ConsoleState,
  HistoryState,
  ServerRef,
  StreamedPiece,
} from '../../contract/bridge/values.ts'
import { formatLineId } from '../../contract/rules/line-ids.ts'
import type { WindowLink } from '../base/windows.ts'
import { lastSeq, withoutSeen } from './columns.ts'

/** Above this many waiting bytes a window gets nothing until it has drained. */
const CLOGGED = 4 * 1024 * 1024
const DRAINED = 512 * 1024
const LOOK_AGAIN = 40
/** Above this rate nobody can read along: lines are gathered for `ms`. */
const RUSH = { lines: 1000, ms: 45 }
/** Beyond `most` gathered lines only the last `end` are sent: a window could not show more before the next batch. */
const GATHERED = { most: 2000, end: 500 }
/**
 * With this many windows each getting this many lines within `RUSH.ms`, nobody reads them and drawing would take all
 * CPU. Beyond it, each window gathers longer and gets only what it can show.
 */
const CROWD = { windows: 3, lines: 25, gathered: { most: 400, end: 200 }, mostMs: 1000 }
/** A window leaves the crowd after this many ms without a report; longer than any gathers. */
const FORGOTTEN = 2000

/** Epochs remembered per watch, to send no line twice. */
const EPOCHS_MOST = 20
let watches = 0

type Mode =
  /** The first response is being built; new lines queue up. */
  | { kind: 'priming'; pieces: ConsolePiece[] }
  /** `since`: start of counting, in ms; `lines`: sent since then. */
  | { kind: 'live'; since: number; lines: number }
  /** Too many lines, or a slow window. `ms`: how long they gather. */
  | { kind: 'gathering'; gathered: PieceBuffer; ms: number }
  | { kind: 'ended' }

/** Lines arrive in order; those a window could not show are announced and available from the archive. */
export class Watcher {
  #mode: Mode = { kind: 'priming', pieces: [] }
  /** The last line sent of each epoch. */
  readonly #sent = new Map<string, number>()
  readonly id = ++watches
  readonly window: WindowLink
  readonly server: ServerRef
  readonly #crowd: FloodedWindows
  readonly #now: () => number

  constructor(
    window: WindowLink,
    server: ServerRef,
    crowd = new FloodedWindows(),
    now: () => number = () => performance.now(),
  ) {
    this.window = window
    this.server = server
    this.#crowd = crowd
    this.#now = now
  }

  primed(pieces: StreamedPiece[]): StreamedPiece[] {
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
    const windows = mode.lines > CROWD.lines ? this.#crowded() : 1
    // Lines that come in one piece are sent in one piece.
    const isFew = mode.lines <= RUSH.lines || mode.lines === linesIn(unseen)
    if (!clogged && isFew && windows === 1) return this.#send([unseen])
    // The first gathering shows whether the rush lasts; a single burst after a pause is sent in full.
    const gathered = new PieceBuffer(GATHERED)
    gathered.add(unseen)
    const ms = clogged ? LOOK_AGAIN : gatherFor(windows) - (now - mode.since)
    this.#mode = { kind: 'gathering', gathered, ms }
    this.#later(ms)
  }

  state(state: ConsoleState): void {
    if (this.#mode.kind !== 'ended') this.window.send('console', { ...this.#from, pieces: [], state })
  }

  history(history: HistoryState): void {
    if (this.#mode.kind !== 'ended') this.window.send('console', { ...this.#from, pieces: [], history })
  }

  end(): void {
    this.#mode = { kind: 'ended' }
    this.#crowd.leave(this)
  }

  get #from() {
    return { ...this.server, watch: this.id }
  }

  #later(ms: number): void {
    setTimeout(() => this.#release(), ms)
  }

  #release(): void {
    if (this.#mode.kind !== 'gathering') return
    if (this.window.pressure() > DRAINED) return this.#later(LOOK_AGAIN)
    const { gathered, ms } = this.#mode
    const count = gathered.lines
    const rushes = count > (CROWD.lines * ms) / RUSH.ms
    if (!rushes) this.#crowd.leave(this)
    const windows = rushes ? this.#crowded() : 1
    this.#send(gathered.take(windows > 1 ? CROWD.gathered : GATHERED))
    if (count > RUSH.lines || windows > 1) {
      this.#mode.ms = gatherFor(windows)
      return this.#later(this.#mode.ms)
    }
    this.#mode = { kind: 'live', since: this.#now(), lines: count }
  }

  #crowded(): number {
    const windows = this.#crowd.join(this, this.#now())
    return windows > CROWD.windows ? windows : 1
  }

  #send(pieces: StreamedPiece[]): void {
    if (pieces.length > 0) this.window.send('console', { ...this.#from, pieces })
  }

  #unseen(piece: ConsolePiece): ConsolePiece | null {
    if (piece.kind === 'gap') return piece
    const { batch } = piece
    const rest = withoutSeen(batch, this.#sent.get(batch.epoch) ?? -1)
    if (!rest) return null
    const unseen: ConsolePiece = { kind: 'lines', batch: rest }
    this.#note(unseen)
    return unseen
  }

  #note(piece: StreamedPiece): void {
    if (piece.kind !== 'lines') return
    this.#sent.set(piece.batch.epoch, lastSeq(piece.batch))
    const [oldest = ''] = this.#sent.keys()
    if (this.#sent.size > EPOCHS_MOST) this.#sent.delete(oldest)
  }
}

/** Windows that get more lines than anyone can read. */
export class FloodedWindows {
  readonly #at = new Map<object, number>()

  join(window: object, now: number): number {
    this.#at.set(window, now)
    // Windows without new lines do not report.
    for (const [one, at] of this.#at) if (now - at > FORGOTTEN) this.#at.delete(one)
    return this.#at.size
  }

  leave(window: object): void {
    this.#at.delete(window)
  }
}

class PieceBuffer {
  #limits: typeof GATHERED
  #pieces: ConsolePiece[] = []
  #kept = 0
  #passed: Extract<StreamedPiece, { kind: 'passed' }> | null = null
  lines = 0

  constructor(limits: typeof GATHERED) {
    this.#limits = limits
  }

  add(piece: ConsolePiece): void {
    this.#pieces.push(piece)
    this.#kept += linesIn(piece)
    this.lines += linesIn(piece)
    const { most, end } = this.#limits
    if (this.#kept > most) this.#passOver(this.#kept - end)
  }

  take(limits: typeof GATHERED): StreamedPiece[] {
    this.#limits = limits
    const taken = this.#passed ? [this.#passed, ...this.#pieces] : this.#pieces
    Object.assign(this, { lines: 0 })
    this.#pieces = []
    this.#kept = 0
    this.#passed = null
    return taken
  }

  /** Drops the oldest lines and the marks among them; the archive reports those again. */
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

const gatherFor = (windows: number): number => Math.min(CROWD.mostMs, windows * RUSH.ms)

const linesIn = (piece: ConsolePiece): number => (piece.kind === 'lines' ? piece.batch.texts.length : 0)

function withoutFirst(
  { batch }: Extract<ConsolePiece, { kind: 'lines' }>,
  count: number,
): ConsolePiece | null {
  const rest = withoutSeen(batch, batch.firstSeq + count - 1)
  return rest && { kind: 'lines', batch: rest }
}
