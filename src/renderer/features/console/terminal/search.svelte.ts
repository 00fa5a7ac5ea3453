import type { ISearchOptions, SearchAddon } from '@xterm/addon-search'
import type { ConsolePiece } from '../../../../contract/bridge/values.ts'
import { formatLineId, type LineId } from '../../../../contract/rules/line-ids.ts'
import { textOf } from '../lines/line-text.ts'
import type { PageReader, ScrollWindow } from './scroll-window.svelte.ts'
import { foundColors } from './terminal-theme.ts'

const PAGE = 5000

export type SearchState =
  | { kind: 'idle' }
  /** `at` from 1; 0 above the count limit. */
  | { kind: 'found'; at: number; count: number }
  | { kind: 'none' }
  /** Searching older lines; `looked` so far. */
  | { kind: 'older'; looked: number }
  | { kind: 'no-older' }
  | { kind: 'failed' }

export class ConsoleSearch {
  term = $state('')
  caseSensitive = $state(false)
  open = $state(false)
  state = $state.raw<SearchState>({ kind: 'idle' })

  readonly #addon: SearchAddon
  readonly #window: ScrollWindow
  readonly #readPage: PageReader
  readonly #palette: () => 'light' | 'dark'
  /** Invalidates earlier searches. */
  #run = 0

  constructor(
    addon: SearchAddon,
    window: ScrollWindow,
    readPage: PageReader,
    palette: () => 'light' | 'dark',
  ) {
    this.#addon = addon
    this.#window = window
    this.#readPage = readPage
    this.#palette = palette
    addon.onDidChangeResults(({ resultIndex, resultCount }) => {
      if (this.state.kind === 'older' || this.term === '') return
      this.state =
        resultCount > 0 ? { kind: 'found', at: resultIndex + 1, count: resultCount } : { kind: 'none' }
    })
  }

  /** Opens the search and holds the console, so results stay in place. */
  show(): void {
    this.open = true
    this.#window.pinned = true
    this.#window.hold()
  }

  close(): void {
    this.#run += 1
    this.open = false
    this.#window.pinned = false
    this.state = { kind: 'idle' }
    this.#addon.clearDecorations()
  }

  changed(): void {
    this.#run += 1
    this.state = { kind: 'idle' }
    if (this.term === '') this.#addon.clearDecorations()
    else this.#addon.findPrevious(this.term, this.#options(true))
  }

  /** Call after a change of theme: the marks keep the colors they were made with. */
  recolor(): void {
    if (!this.open || this.term === '' || this.state.kind === 'older') return
    this.#addon.clearDecorations()
    this.#addon.findPrevious(this.term, this.#options(true))
  }

  next(): void {
    this.#run += 1
    if (this.term !== '') this.#addon.findNext(this.term, this.#options(false))
  }

  /** The match above; past the topmost, searches older lines. */
  async previous(): Promise<void> {
    if (this.term === '' || this.state.kind === 'older') return
    const { state } = this
    if (state.kind === 'none' || (state.kind === 'found' && state.at === 1)) return this.older()
    this.#addon.findPrevious(this.term, this.#options(false))
  }

  async older(): Promise<void> {
    const run = ++this.#run
    let before = this.#window.first
    let looked = 0
    this.state = { kind: 'older', looked }
    try {
      while (before && run === this.#run) {
        const page = await this.#readPage({ before: formatLineId(before), limit: PAGE })
        if (run !== this.#run) return
        const found = lastMatch(page.pieces, this.term, this.caseSensitive)
        if (found) return await this.#show(page.pieces, found)
        const first = page.pieces.find((piece) => piece.kind === 'lines')
        looked += page.pieces.reduce(
          (sum, piece) => sum + (piece.kind === 'lines' ? piece.batch.texts.length : 0),
          0,
        )
        this.state = { kind: 'older', looked }
        before = page.end || !first ? null : { epoch: first.batch.epoch, seq: first.batch.firstSeq }
      }
      if (run === this.#run) this.state = { kind: 'no-older' }
    } catch {
      if (run === this.#run) this.state = { kind: 'failed' }
    }
  }

  async #show(pieces: readonly ConsolePiece[], found: LineId): Promise<void> {
    await this.#window.showRun(pieces, found)
    this.state = { kind: 'idle' }
    this.#addon.findPrevious(this.term, this.#options(false))
  }

  #options(incremental: boolean): ISearchOptions {
    const colors = foundColors[this.#palette()]
    return {
      incremental,
      caseSensitive: this.caseSensitive,
      decorations: {
        matchBackground: colors.match,
        matchOverviewRuler: colors.ruler,
        activeMatchBackground: colors.active,
        activeMatchColorOverviewRuler: colors.ruler,
      },
    }
  }
}

function lastMatch(pieces: readonly ConsolePiece[], term: string, caseSensitive: boolean): LineId | null {
  const wanted = caseSensitive ? term : term.toLowerCase()
  for (const piece of pieces.toReversed()) {
    if (piece.kind !== 'lines') continue
    const { texts, epoch, firstSeq } = piece.batch
    for (let at = texts.length - 1; at >= 0; at--) {
      const text = textOf(piece.batch, at)
      if ((caseSensitive ? text : text.toLowerCase()).includes(wanted)) return { epoch, seq: firstSeq + at }
    }
  }
  return null
}
