import type { ConsolePiece } from '../../../../contract/bridge/values.ts'
import { formatLineId, sameLine, type LineId } from '../../../../contract/rules/line-ids.ts'
import { cutBefore, joinBefore, lastSeq, LineList, reaches, type Entry } from '../lines/line-list.ts'
import { terminalText, type LineStyle } from '../lines/line-text.ts'
import { reachAround, rowsOf } from '../lines/rows.ts'
import { SCROLLBACK_ROWS, type Screen } from './screen.ts'

/** Entries kept of what is shown, and of what waits to be shown. All others are in main's archive or at the service. */
const KEEP = 10_000
/** How far a list may outgrow that before it is cut back, so that it is not cut for every batch. */
const SLACK = 2000
/** Lines handed to the terminal in one go: some 3 ms of parsing, so that a frame fits in between. */
const CHUNK = 500
/** Chunks the terminal holds at once. The next one goes in when one is done. */
const IN_FLIGHT = 3
/** Lines asked for when an end of the window is reached. */
const PAGE = 4000
/** Rows kept on either side of what is visible, of the 10,000 the terminal holds. */
const REACH_ROWS = SCROLLBACK_ROWS / 2 - 200
/** Rows from an end at which the next page is fetched, so that reading does not stop there. */
const NEAR_ROWS = 150

type Pieces = readonly ConsolePiece[]
type Page = { pieces: ConsolePiece[]; end: boolean }

/** One page of lines, as `console.page` answers it. Throws a `Problem`. */
export type ReadPage = (where: { before?: string; after?: string; limit: number }) => Promise<Page>

/** What the window tells its owner. */
export interface WindowEvents {
  /** The terminal has taken in all lines up to this one; null for the mark of missing ones. */
  written(last: LineId | null): void
  /** A page could not be read; null once one could. */
  failed(thrown: unknown): void
}

/**
 * Which lines the terminal shows. Following, it shows the newest as they come; held, it stays where the person reads,
 * and lines that come are kept aside. It holds a run of lines without a hole in it; near an end of the run, it moves on.
 */
export class ScrollWindow {
  /** Whether new lines are shown as they come. */
  following = $state(true)
  /** Lines that came since it is held. */
  unseen = $state(0)
  /** Whether older or newer lines are being brought in. */
  paging = $state(false)
  /** Whether the oldest line there is stands in the window. */
  atStart = $state(false)
  /** Whether no line has come or been found yet. */
  empty = $state(true)

  /** Whether it stays held even when scrolled down to the newest line: what is searched for shall not run away. */
  pinned = false

  readonly #screen: Screen
  readonly #style: () => LineStyle
  readonly #readPage: ReadPage
  readonly #events: WindowEvents
  /** What stands in the terminal, and maybe some older lines that wrapped ones have pushed out of it. */
  readonly #shown = new LineList()
  /** The newest lines, not shown yet. */
  readonly #pending = new LineList()
  /** Lines lie between the shown and the pending ones. */
  #detached = false
  #inFlight = 0
  #settled: (() => void) | null = null
  #rewriting = false
  /** What lines look like has changed while they were written anew. */
  #outdated = false
  #closed = false

  constructor(screen: Screen, style: () => LineStyle, readPage: ReadPage, events: WindowEvents) {
    this.#screen = screen
    this.#style = style
    this.#readPage = readPage
    this.#events = events
  }

  /** Takes the next lines. What is shown and what waits is bounded: what falls out can be paged in. */
  accept(pieces: Pieces): void {
    const count = this.#pending.append(pieces)
    if (!this.following) this.unseen += count
    if (this.empty) this.empty = false
    this.#boundPending()
    this.#pump()
  }

  /** The lines to come do not adjoin those before; so many of those between are new. */
  cut(passed = 0): void {
    if (!this.following) this.unseen += passed
    if (passed > 0) this.empty = false
    this.#pending.clear()
    this.#detached = true
  }

  /** Shows the newest lines and goes on with them. */
  follow(): void {
    this.following = true
    this.unseen = 0
    this.#screen.toBottom()
    this.#pump()
  }

  /** Stays where it is while lines come. */
  hold(): void {
    if (!this.following) return
    this.following = false
    this.unseen = this.#pending.length
  }

  /** To be called when somebody has moved the visible part. */
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

  /** Brings older lines in above what is visible. */
  older(): Promise<void> {
    return this.#oneAtATime(() => this.#older())
  }

  /** Brings newer lines in below what is visible. */
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
      // Where the page ends in the gap that the window begins with, one mark is enough.
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
      // Only at the end of what there is does a hole mean that lines are gone.
      const newer = page.end ? joinBefore(page.pieces, next) : cutBefore(page.pieces, next)
      if (page.end || (next && reaches(page.pieces, next))) this.#detached = false
      return this.#shown.append(newer) || null
    })
  }

  /** Shows a run of lines that was found elsewhere, with one of them in sight. */
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

  /** Whether a line stands in the terminal now. */
  holds(id: LineId): boolean {
    const at = this.#shown.indexOf(id)
    return at >= 0 && at >= this.#shown.length - this.#screen.entriesHeld()
  }

  /** Whether older lines could fill a screen that is not full. */
  get mayFill(): boolean {
    return this.following && !this.atStart && this.#pending.length === 0 && this.#mayPage()
  }

  /** The newest `count` entries shown, oldest first. */
  tail(count: number): Entry[] {
    return this.#shown.tail(count)
  }

  /** The oldest line that stands in the window. */
  get first(): LineId | null {
    return this.#shown.first
  }

  /** When the newest line happened, in milliseconds since 1970; null where that is not known. */
  get lastTime(): number | null {
    const list = this.#pending.length > 0 ? this.#pending : this.#shown
    const entry = list.at(list.length - 1)
    return entry?.kind === 'line' && entry.time > 0 ? entry.time : null
  }

  /** Writes everything anew, because what a line looks like has changed. */
  async redraw(): Promise<void> {
    // What is being written may have begun with the look of before.
    this.#outdated = this.#rewriting
    if (!this.#rewriting && !this.#closed && !this.#screen.empty) await this.#rewrite(() => 0)
  }

  /** No more writing: the terminal is about to go. */
  close(): void {
    this.#closed = true
  }

  #mayPage(): boolean {
    return !this.#rewriting && !this.paging && !this.#closed
  }

  async #page(where: Parameters<ReadPage>[0]): Promise<Page | null> {
    try {
      const page = await this.#readPage(where)
      this.#events.failed(null)
      return this.#closed || this.#rewriting ? null : page
    } catch (thrown) {
      this.#events.failed(thrown)
      return null
    }
  }

  /** Hands waiting lines to the terminal, as many as it takes in without the page losing a frame. */
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

  /** Only the newest lines wait; the terminal could not hold more of them. */
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

  /** Keeps lines that leave the newer end of the window, where they adjoin those that wait. */
  #putAside(pieces: ConsolePiece[]): void {
    if (this.#detached) return
    this.#pending.unshift(pieces)
    this.#boundPending()
  }

  /**
   * Changes the window and writes it anew, so that what was in sight stays in sight (or `id` comes into sight).
   * `change` answers how many entries it added at the newer end, or null where there is nothing to write.
   */
  async #rewrite(change: () => number | null, id?: LineId): Promise<void> {
    this.#rewriting = true
    // Where entries stand is known only once the terminal has taken in all of them.
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

  /** Cuts the window to what the terminal can hold around an entry. Answers how many went at the newer end. */
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
