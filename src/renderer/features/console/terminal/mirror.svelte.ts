import { formatLineId } from '../../../../contract/rules/line-ids.ts'
import { plainText } from '../lines/line-text.ts'
import type { LineStyle } from '../lines/line-text.ts'
import type { Screen } from './screen.ts'
import type { ScrollWindow } from './scroll-window.svelte.ts'

/** Milliseconds between two looks at what is on the screen. */
const EVERY = 500
/** Lines held for a screen reader while following. */
const HELD = 40
/** More new lines than this at once are not read out. */
const READ_OUT = 12
/** While more lines than this come between two looks, nobody could read them, or have them read out. */
const RUSH = 200

/** A line for a screen reader, with what it is known by. */
export interface MirroredLine {
  key: string
  text: string
}

/**
 * What the terminal shows, as text for screen readers. xterm's own mode for them tells every character apart, which
 * makes fast output several times slower; this looks at the screen twice a second, and only after something changed.
 */
export class Mirror {
  lines = $state.raw<MirroredLine[]>([])
  /** Whether the lines that were added are worth being read out. */
  live = $state(true)

  readonly #screen: Screen
  readonly #window: ScrollWindow
  readonly #gap: LineStyle['gap']
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The screen's count of lines at the last look. */
  #linesBefore = 0

  /** @param gap the words of the mark for lines that are gone */
  constructor(screen: Screen, window: ScrollWindow, gap: LineStyle['gap']) {
    this.#screen = screen
    this.#window = window
    this.#gap = gap
  }

  /** Something on the screen has changed. */
  touch(): void {
    this.#timer ??= setTimeout(() => this.#look(), EVERY)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    this.#timer = undefined
    const came = this.#screen.lines - this.#linesBefore
    this.#linesBefore = this.#screen.lines
    if (this.#window.following && came > RUSH) {
      // It comes when it can be read again.
      this.touch()
      return
    }
    const before = new Set(this.lines.map((line) => line.key))
    const lines = this.#window.following ? this.#newest() : this.#visible()
    const added = lines.filter((line) => !before.has(line.key)).length
    this.live = this.#window.following && added <= READ_OUT
    this.lines = lines
  }

  #newest(): MirroredLine[] {
    let key = ''
    return this.#window.tail(HELD).map((entry) => {
      // What is missing may have no name, so it is known by what it comes after.
      key = entry.kind === 'line' ? formatLineId(entry.id) : `${key} gap`
      return entry.kind === 'line'
        ? { key, text: plainText(entry.text, entry.source) }
        : { key, text: this.#gap(entry.from, entry.to) }
    })
  }

  #visible(): MirroredLine[] {
    return this.#screen.visibleLines().map((text, at) => ({ key: `visible-${at}`, text }))
  }
}
