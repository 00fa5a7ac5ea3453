import type { ConsolePiece } from '../../../../contract/bridge/values.ts'
import { formatLineId, sameLine, type LineId } from '../../../../contract/rules/line-ids.ts'
import { cutBefore, joinBefore, lastSeq, LineList, reaches, type Entry } from '../lines/line-list.ts'
import { terminalText, type LineStyle } from '../lines/line-text.ts'
import { reachAround, rowsOf } from '../lines/rows.ts'
import { SCROLLBACK_ROWS, type Screen } from './screen.ts'

/** Entries kept, both shown and pending. Older ones are in main's archive or at the service. */
const KEEP = 10_000
/** Excess allowed before trimming, to avoid trimming per batch. */
const SLACK = 2000
/** Lines per write: about 3 ms of parsing, to leave room for a frame. */
const CHUNK = 500
const IN_FLIGHT = 3
const PAGE = 4000
/** Rows kept on each side of the visible part, of 10,000. */
const REACH_ROWS = SCROLLBACK_ROWS / 2 - 200
const NEAR_ROWS = 150

type Pieces = readonly ConsolePiece[]
type Page = { pieces: ConsolePiece[]; end: boolean }

/** As `console.page`. Throws a `Problem`. */
export type PageReader = (where: { before?: string; after?: string; limit: number }) => Promise<Page>

export interface WindowEvents {
  /** The terminal has parsed all lines up to this one; null for a gap mark. */
  written(last: LineId | null): void
  failed(thrown: unknown): void
}

/**
 * The contiguous lines the terminal shows. Following, it shows new lines; held, it keeps its position and they
 * are pending. It moves when the user nears an end.
 */
export class ScrollWindow {
  following = $state(true)
  /** Lines received while held. */
  unseen = $state(0)
  paging = $state(false)
  /** The oldest existing line is loaded. */
  atStart = $state(false)
  empty = $state(true)

  /** Stay held even at the newest line, so that a search result stays in place. */
  pinned = false

  readonly #screen: Screen
  readonly #style: () => LineStyle
  readonly #readPage: PageReader
  readonly #events: WindowEvents
  /** Lines in the terminal, and maybe older ones that wrapped lines pushed out. */
  readonly #shown = new LineList()
  /** Newest lines, not shown yet. */
  readonly #pending = new LineList()
  /** Lines are missing between shown and pending. */
  #detached = false
  #inFlight = 0
  #settled: (() => void) | null = null
  #rewriting = false
  #outdated = false
  #closed = false

  constructor(screen: Screen, style: () => LineStyle, readPage: PageReader, events: WindowEvents) {
    this.#screen = screen
    this.#style = style
    this.#readPage = readPage
    this.#events = events
  }

  accept(pieces: Pieces): void {
    const count = this.#pending.append(pieces)
    if (!this.following) this.unseen += count
    if (this.empty) this.empty = false
    this.#boundPending()
    this.#pump()
  }

  /** The next lines don't follow the last ones; `passed`: new lines in between. */
  cut(passed = 0): void {
    if (!this.following) this.unseen += passed
    if (passed > 0) this.empty = false
    this.#pending.clear()
    this.#detached = true
  }

  follow(): void {
    this.following = true
    this.unseen = 0
    this.#screen.toBottom()
    this.#pump()
  }

  hold(): void {
    if (!this.following) return
    this.following = false
    this.unseen = this.#pending.length
  }

  scrolled(): void {
    if (this.#rewriting || this.#closed) return
    if (this.#screen.atBottom) {
      if (this.following) return
      if (this.#detached || this.pinned) void this.newer()
      else this.follow()
      return
    }
    this.hold()
    if (this.#screen.rowsAbove < NEAR_ROWS) void this.older()
    else if (this.#screen.rowsBelow < NEAR_ROWS) void this.newer()
  }

  older(): Promise<void> {
    return this.#oneAtATime(() => this.#older())
  }

  newer(): Promise<void> {
    return this.#oneAtATime(() => this.#newer())
  }

  async #oneAtATime(bringIn: () => Promise<void>): Promise<void> {
    if (!this.#mayPage()) return
    this.paging = true
    try {
      await bringIn()
    } finally {
      this.paging = false
    }
  }

  async #older(): Promise<void> {
    // Older lines may still be here, pushed out of the terminal by wrapped ones.
    if (this.#shown.length - this.#screen.entriesHeld() > this.#screen.rows) return this.#rewrite(() => 0)
    if (this.atStart) return
    const first = this.#shown.first
    const page = await this.#page({ before: first ? formatLineId(first) : undefined, limit: PAGE })
    if (!page || (first && !sameLine(first, this.#shown.first))) return
    await this.#rewrite(() => {
      const older = joinBefore(page.pieces, this.#shown.first ?? this.#pending.first)
      // Merge adjacent gap marks.
      if (older.at(-1)?.kind === 'gap' && this.#shown.at(0)?.kind === 'gap') older.pop()
      this.#shown.unshift(older)
      this.atStart = page.end || older.length === 0
      if (older.length > 0) this.empty = false
      return older.length > 0 ? 0 : null
    })
  }

  async #newer(): Promise<void> {
    if (this.following) return
    const last = this.#shown.last
    if (!this.#detached || !last) {
      if (this.#pending.length > 0) await this.#rewrite(() => this.#shown.append(this.#pending.shift(PAGE)))
      return
    }
    const page = await this.#page({ after: formatLineId(last), limit: PAGE })
    if (!page || !this.#detached || !sameLine(last, this.#shown.last)) return
    await this.#rewrite(() => {
      const next = this.#pending.first
      // A gap means lost lines only at the end of the history.
      const newer = page.end ? joinBefore(page.pieces, next) : cutBefore(page.pieces, next)
      if (page.end || (next && reaches(page.pieces, next))) this.#detached = false
      return this.#shown.append(newer) || null
    })
  }

  async showRun(pieces: Pieces, id: LineId): Promise<void> {
    if (this.#rewriting || this.#closed) return
    this.hold()
    await this.#rewrite(() => {
      this.#putAside(this.#shown.shift(this.#shown.length))
      this.#detached = true
      this.atStart = false
      return this.#shown.append(pieces)
    }, id)
  }

  holds(id: LineId): boolean {
    const at = this.#shown.indexOf(id)
    return at >= 0 && at >= this.#shown.length - this.#screen.entriesHeld()
  }

  get mayFill(): boolean {
    return this.following && !this.atStart && this.#pending.length === 0 && this.#mayPage()
  }

  tail(count: number): Entry[] {
    return this.#shown.tail(count)
  }

  get first(): LineId | null {
    return this.#shown.first
  }

  /** Time of the newest line in epoch ms, or null. */
  get lastTime(): number | null {
    const list = this.#pending.length > 0 ? this.#pending : this.#shown
    const entry = list.at(list.length - 1)
    return entry?.kind === 'line' && entry.time > 0 ? entry.time : null
  }

  async redraw(): Promise<void> {
    // A running rewrite may have started in the old style.
    this.#outdated = this.#rewriting
    if (!this.#rewriting && !this.#closed && !this.#screen.empty) await this.#rewrite(() => 0)
  }

  close(): void {
    this.#closed = true
  }

  #mayPage(): boolean {
    return !this.#rewriting && !this.paging && !this.#closed
  }

  async #page(where: Parameters<PageReader>[0]): Promise<Page | null> {
    try {
      const page = await this.#readPage(where)
      this.#events.failed(null)
      return this.#closed || this.#rewriting ? null : page
    } catch (thrown) {
      this.#events.failed(thrown)
      return null
    }
  }

  /** Writes pending lines, as many as fit without dropping frames. */
  #pump(): void {
    while (this.#mayPump()) {
      const fresh = this.#detached || this.#screen.empty
      if (this.#detached) this.#forgetShown()
      const pieces = this.#pending.shift(CHUNK)
      if (this.#shown.length > KEEP + SLACK) {
        this.#shown.shift(this.#shown.length - KEEP)
        this.atStart = false
      }
      const text = terminalText(pieces, this.#style(), fresh)
      this.#screen.lines += this.#shown.append(pieces)
      this.#inFlight += 1
      if (fresh) this.#screen.restart(text, () => this.#taken(pieces))
      else this.#screen.write(text, () => this.#taken(pieces))
    }
  }

  #mayPump(): boolean {
    return (
      this.following &&
      !this.#rewriting &&
      !this.#closed &&
      this.#inFlight < IN_FLIGHT &&
      this.#pending.length > 0
    )
  }

  #taken(pieces: Pieces): void {
    this.#inFlight -= 1
    if (this.#inFlight === 0) this.#settled?.()
    if (this.#closed) return
    const last = pieces.at(-1)
    if (last?.kind === 'lines') this.#events.written({ epoch: last.batch.epoch, seq: lastSeq(last.batch) })
    else if (last) this.#events.written(null)
    if (this.following && !this.#screen.atBottom) this.#screen.toBottom()
    this.#pump()
  }

  #boundPending(): void {
    if (this.#pending.length <= KEEP + SLACK) return
    this.#pending.shift(this.#pending.length - KEEP)
    this.#detached = true
  }

  #forgetShown(): void {
    this.#shown.clear()
    this.#detached = false
    this.atStart = false
  }

  /** Keeps lines cut at the newer end if they adjoin the pending ones. */
  #putAside(pieces: ConsolePiece[]): void {
    if (this.#detached) return
    this.#pending.unshift(pieces)
    this.#boundPending()
  }

  /** Keeps the visible part, or `id`, in view. `change` returns the entries added at the newer end; null: no write. */
  async #rewrite(change: () => number | null, id?: LineId): Promise<void> {
    this.#rewriting = true
    // Positions are known only after everything is parsed.
    if (this.#inFlight > 0) await new Promise<void>((settled) => (this.#settled = settled))
    this.#settled = null
    if (this.#closed) return
    const top = this.#screen.empty ? { fromEnd: 0, offset: 0 } : this.#screen.positionAt()
    const added = change()
    if (added !== null) {
      const style = this.#style()
      let fromEnd = top.fromEnd + added
      if (id) fromEnd = this.#shown.length - 1 - this.#shown.indexOf(id) + Math.floor(this.#screen.rows / 3)
      fromEnd = Math.min(fromEnd, this.#shown.length - 1)
      const cutOff = this.following ? 0 : this.#fit(fromEnd, style)
      const position = { fromEnd: fromEnd - cutOff, offset: id ? 0 : top.offset }
      await this.#screen.rewrite(this.#texts(style), () => (this.following ? 'end' : position))
    }
    this.#rewriting = false
    if (this.#outdated) await this.redraw()
    else this.#pump()
  }

  #texts(style: LineStyle): string[] {
    return [...this.#shown.chunks(CHUNK)].map((pieces, at) => terminalText(pieces, style, at === 0))
  }

  /** Trims to what the terminal can contain around an entry; returns the number cut at the newer end. */
  #fit(fromEnd: number, style: LineStyle): number {
    const rows = rowsOf(this.#shown.pieces(), this.#shown.length, this.#screen.columns, style)
    const { start, end } = reachAround(rows, rows.length - 1 - fromEnd, REACH_ROWS)
    const cutOff = rows.length - end
    if (start > 0) {
      this.#shown.shift(start)
      this.atStart = false
    }
    if (cutOff > 0) this.#putAside(this.#shown.pop(cutOff))
    return cutOff
  }
}
