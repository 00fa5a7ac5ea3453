import type { ConsolePiece } from '../../../../contract/bridge/values.ts'
import { formatLineId, type LineId } from '../../../../contract/rules/line-ids.ts'
import type { PageReader } from '../terminal/scroll-window.svelte.ts'
import { hasOwnTime, isChat, isTrace, levelOf, type LineLevel } from './line-level.ts'
import { plainText, textOf } from './line-text.ts'

/** Lines per page. */
const PAGE = 5000
/** Lines kept, of the newest. */
const MOST = 2000

export const lineFilters = ['all', 'problems', 'errors', 'chat'] as const
export type LineFilter = (typeof lineFilters)[number]

export interface FilteredLine {
  id: string
  text: string
  level: LineLevel | null
  /** Epoch ms, for a line without its own time. */
  time: number | null
}

/** The lines that a filter lets through: of the newest page, of older ones on request, and of all that come. */
export class FilteredLines {
  kind = $state<LineFilter>('all')
  lines = $state.raw<readonly FilteredLine[]>([])
  /** Lines the filter has seen. */
  seen = $state(0)
  looking = $state(false)
  atStart = $state(false)
  failed = $state(false)

  readonly #readPage: PageReader
  #run = 0
  #first: LineId | null = null
  #last: LineId | null = null
  #waiting: ConsolePiece[] = []

  constructor(readPage: PageReader) {
    this.#readPage = readPage
  }

  async show(kind: LineFilter): Promise<void> {
    this.#run += 1
    this.kind = kind
    this.lines = []
    this.seen = 0
    this.atStart = false
    this.failed = false
    this.looking = false
    this.#first = this.#last = null
    this.#waiting = []
    if (kind !== 'all') await this.older()
  }

  async older(): Promise<void> {
    if (this.looking || this.atStart) return
    const run = this.#run
    this.looking = true
    this.failed = false
    try {
      const before = this.#first ? formatLineId(this.#first) : undefined
      const page = await this.#readPage({ before, limit: PAGE })
      if (run !== this.#run) return
      const older = this.#pass(page.pieces)
      this.lines = [...older, ...this.lines].slice(0, MOST)
      this.atStart = page.end || page.pieces.length === 0 || this.lines.length === MOST
    } catch {
      if (run === this.#run) this.failed = true
    } finally {
      if (run === this.#run) {
        this.looking = false
        const waiting = this.#waiting
        this.#waiting = []
        this.accept(waiting)
      }
    }
  }

  /** Takes lines as they come. */
  accept(pieces: readonly ConsolePiece[]): void {
    if (this.kind === 'all') return
    if (this.looking) this.#waiting = [...this.#waiting, ...pieces].slice(-MOST)
    else {
      const passed = this.#pass(pieces)
      if (passed.length > 0) this.lines = [...this.lines, ...passed].slice(-MOST)
    }
  }

  /** Starts over: lines in between were passed over. */
  again(): void {
    if (this.kind !== 'all') void this.show(this.kind)
  }

  #pass(pieces: readonly ConsolePiece[]): FilteredLine[] {
    const passed: FilteredLine[] = []
    const [first, last] = [this.#first, this.#last]
    for (const piece of pieces) {
      if (piece.kind !== 'lines') continue
      const { batch } = piece
      const { epoch, sources } = batch
      for (let at = 0; at < batch.texts.length; at++) {
        const seq = batch.firstSeq + at
        // A page and what comes meanwhile may overlap.
        const isKnown = first?.epoch === epoch && last?.epoch === epoch && seq >= first.seq && seq <= last.seq
        if (isKnown) continue
        this.seen += 1
        const raw = textOf(batch, at)
        const level = sources[at] === 'error' || isTrace(raw) ? 'error' : levelOf(raw)
        if (!isOf(this.kind, raw, level)) continue
        passed.push({
          id: formatLineId({ epoch, seq }),
          text: plainText(raw, sources[at]),
          level,
          time: hasOwnTime(raw) ? null : (batch.times[at] ?? null),
        })
      }
    }
    this.#widen(pieces)
    return passed
  }

  #widen(pieces: readonly ConsolePiece[]): void {
    const batches = pieces.flatMap((piece) => (piece.kind === 'lines' ? [piece.batch] : []))
    const [oldest, newest] = [batches[0], batches.at(-1)]
    if (!oldest || !newest) return
    const start = { epoch: oldest.epoch, seq: oldest.firstSeq }
    const end = { epoch: newest.epoch, seq: newest.firstSeq + newest.texts.length - 1 }
    const isOlder = this.#first !== null && this.looking
    if (this.#first === null || isOlder) this.#first = start
    if (this.#last === null || !isOlder) this.#last = end
  }
}

function isOf(kind: LineFilter, raw: string, level: LineLevel | null): boolean {
  if (kind === 'chat') return isChat(raw)
  return level === 'error' || (kind === 'problems' && level === 'warning')
}
