import { afterPicture } from '../../core/after-picture.ts'

/** Overscan, so quick scrolling shows no gaps. */
const BEYOND = 12

/** Height left for lists drawn before they are measured; measuring first would cost an extra layout. */
export class FirstScreenHeight {
  #left = innerHeight

  /** Takes up to this many pixels; returns how many it got. */
  take(pixels: number): number {
    const taken = Math.min(this.#left, pixels)
    this.#left -= taken
    return taken
  }
}

/** The rows of a long list to draw: the visible ones, then some around them. All have the same height. */
export class RowWindow {
  #rowHeight = $state(0)
  #top = $state(0)
  #height = $state(0)
  #beyond = $state(0)
  #supposed = $state(0)
  #count: () => number

  /** @param room share of the first paint for this list; without it, the list is measured first */
  constructor(rowHeight: number, count: () => number, room?: FirstScreenHeight) {
    this.#rowHeight = rowHeight
    this.#count = count
    if (room) this.#supposed = Math.ceil(room.take(count() * rowHeight) / rowHeight)
  }

  get rowHeight(): number {
    return this.#rowHeight
  }
  set rowHeight(pixels: number) {
    this.#rowHeight = pixels
  }

  /** First drawn row; changes in steps, so scrolling a pixel redraws nothing. */
  readonly first = $derived.by(() => {
    if (this.#supposed > 0) return 0
    const last = Math.max(0, this.#count() - 1)
    return Math.min(last, Math.max(0, Math.floor(this.#top / this.rowHeight) - this.#beyond))
  })

  readonly end = $derived.by(() =>
    Math.max(
      0,
      Math.min(
        this.#count(),
        Math.max(this.#supposed, Math.ceil((this.#top + this.#height) / this.rowHeight) + this.#beyond),
      ),
    ),
  )

  /** Height of the rows not drawn, in pixels. */
  get before(): number {
    return this.first * this.rowHeight
  }
  get after(): number {
    return Math.max(0, this.#count() - this.end) * this.rowHeight
  }

  /** Rows per page for Page Up and Page Down. */
  get page(): number {
    return Math.max(1, Math.floor(this.#height / this.rowHeight) - 1)
  }

  take(top: number, height: number): void {
    this.#top = top
    this.#height = height
    if (this.#beyond === BEYOND || height <= 0) return
    afterPicture(() => {
      this.#beyond = BEYOND
      this.#supposed = 0
    })
  }

  /** The scroll position that shows the row in full; null if it is visible. */
  reveal(index: number, top: number, height: number): number | null {
    const begin = index * this.rowHeight
    if (begin < top) return begin
    const end = begin + this.rowHeight
    return end > top + height ? end - height : null
  }
}
