import type {
  ConsolePiece,
  ConsoleState,
  HistoryState,
  LineBatch,
  ServerRef,
} from '../../contract/bridge/values.ts'
import type { Cache } from '../cache/cache.ts'
import { formatLineId, type LineId } from '../../contract/pure/line-ids.ts'
import type { WindowLink } from '../window-link.ts'
import { withoutSeen, lastSeq } from './columns.ts'

/** Above this many waiting bytes a window gets nothing new until it has drained. */
const CLOGGED = 4 * 1024 * 1024
const DRAINED = 512 * 1024
/** How often a clogged window is looked at, in ms. */
const LOOK_AGAIN = 40
const CATCH_UP_LINES = 4000

type Mode =
  /** The first answer is being put together; what arrives meanwhile waits. */
  | { kind: 'priming'; pieces: ConsolePiece[] }
  | { kind: 'live' }
  /** The window does not keep up: lines go to the archive only and are read from there when it has drained. */
  | { kind: 'behind'; passedOver: number }
  | { kind: 'ended' }

/** One window that watches one console. What it is sent is complete and in order, however slow it is. */
export class Watcher {
  #mode: Mode = { kind: 'priming', pieces: [] }
  #last: LineId | null = null
  readonly window: WindowLink
  readonly server: ServerRef
  readonly #cache: Cache

  constructor(window: WindowLink, server: ServerRef, cache: Cache) {
    this.window = window
    this.server = server
    this.#cache = cache
  }

  /** Ends the priming: `pieces` are the first answer, to which what arrived meanwhile is added. */
  primed(pieces: ConsolePiece[]): ConsolePiece[] {
    const waiting = this.#mode.kind === 'priming' ? this.#mode.pieces : []
    for (const piece of pieces) this.#note(piece)
    const all = [...pieces, ...waiting.map((piece) => this.#unseen(piece)).filter((piece) => piece !== null)]
    if (this.#mode.kind !== 'ended') this.#mode = { kind: 'live' }
    return all
  }

  take(piece: ConsolePiece): void {
    if (this.#mode.kind === 'priming') this.#mode.pieces.push(piece)
    if (this.#mode.kind === 'behind') this.#mode.passedOver++
    if (this.#mode.kind !== 'live') return
    if (this.window.pressure() > CLOGGED) {
      this.#mode = { kind: 'behind', passedOver: 1 }
      // The archive fails only when the panel closes; then there is no window left either.
      this.#catchUp().catch(() => this.end())
      return
    }
    const unseen = this.#unseen(piece)
    if (unseen) this.window.send('console', { ...this.server, pieces: [unseen] })
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

  /** Sends from the archive what the window has not seen, as fast as it takes it. */
  async #catchUp(): Promise<void> {
    const { connectionId, serverId } = this.server
    while (this.#mode.kind === 'behind') {
      if (this.window.pressure() > DRAINED) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN))
        continue
      }
      const { passedOver } = this.#mode
      const batches: LineBatch[] = this.#last
        ? await this.#cache.linesAfter(connectionId, serverId, this.#last, CATCH_UP_LINES)
        : await this.#cache.linesBefore(connectionId, serverId, null, CATCH_UP_LINES)
      const pieces: ConsolePiece[] = batches.map((batch) => ({ kind: 'lines', batch }))
      if (pieces.length === 0) {
        const next =
          this.#last && (await this.#cache.lineNeighbour(connectionId, serverId, { after: this.#last }))
        if (!next) {
          // Lines that came while the archive was asked are in it now: look once more.
          if (this.#mode.passedOver !== passedOver) continue
          this.#mode = { kind: 'live' }
          return
        }
        // It came between the two questions.
        if (next.epoch === this.#last?.epoch && next.seq === this.#last.seq + 1) continue
        pieces.push({
          kind: 'gap',
          from: null,
          to: formatLineId({ epoch: next.epoch, seq: Math.max(0, next.seq - 1) }),
        })
        this.#last = { epoch: next.epoch, seq: next.seq - 1 }
      }
      const unseen = pieces.map((piece) => this.#unseen(piece)).filter((piece) => piece !== null)
      if (unseen.length > 0) this.window.send('console', { ...this.server, pieces: unseen })
    }
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
