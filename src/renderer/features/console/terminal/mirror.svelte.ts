import { formatLineId } from '../../../../contract/rules/line-ids.ts'
import { plainText } from '../lines/line-text.ts'
import type { LineStyle } from '../lines/line-text.ts'
import type { Screen } from './screen.ts'
import type { ScrollWindow } from './scroll-window.svelte.ts'

const EVERY = 500
/** Lines mirrored while following. */
const HELD = 40
/** More new lines than this are not read out. */
const READ_OUT = 12
/** More lines per interval than this are too fast to read or hear. */
const RUSH = 200

export interface MirroredLine {
  key: string
  text: string
}

/** The terminal as text for screen readers. xterm's own mode slows fast output several times; this polls instead. */
export class Mirror {
  lines = $state.raw<MirroredLine[]>([])
  live = $state(true)

  readonly #screen: Screen
  readonly #window: ScrollWindow
  readonly #gap: LineStyle['gap']
  #timer: ReturnType<typeof setTimeout> | undefined
  #linesBefore = 0

  constructor(screen: Screen, window: ScrollWindow, gap: LineStyle['gap']) {
    this.#screen = screen
    this.#window = window
    this.#gap = gap
  }

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
      // A gap may have no id: key it by its predecessor.
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
