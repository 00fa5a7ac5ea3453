import { afterPicture } from '../../core/after-picture.ts'

/** Rows drawn beyond each edge, so that a quick turn of the wheel shows no empty room. */
const BEYOND = 12

/**
 * The height of a part of the page that scrolls, for lists that are drawn before anybody could measure where they lie. The
 * first of them fill it: to measure first would lay the page out once more before it shows a row.
 */
export class FirstRoom {
  #left = innerHeight

  /** Takes so much of what is left, in pixels; answers what there was of it. */
  take(pixels: number): number {
    const taken = Math.min(this.#left, pixels)
    this.#left -= taken
    return taken
  }
}

/**
 * Which rows of a long list are drawn: those that can be seen, and once these are there a few around. All rows are
 * equally tall.
 */
export class RowWindow {
  #rowHeight = $state(0)
  #top = $state(0)
  #height = $state(0)
  #beyond = $state(0)
  /** Rows from the first that are drawn until the first picture stands, though nobody measured yet whether they are seen. */
  #supposed = $state(0)
  #count: () => number

  /**
   * @param rowHeight in pixels
   * @param count how many rows there are
   * @param room what the list and those before it can take of the first picture; without one it is measured first
   */
  constructor(rowHeight: number, count: () => number, room?: FirstRoom) {
    this.#rowHeight = rowHeight
    this.#count = count
    if (room) this.#supposed = Math.ceil(room.take(count() * rowHeight) / rowHeight)
  }

  /** In pixels. */
  get rowHeight(): number {
    return this.#rowHeight
  }
  set rowHeight(pixels: number) {
    this.#rowHeight = pixels
  }

  /** The first row that is drawn. It moves in steps, so that scrolling a pixel redraws nothing. */
  readonly first = $derived.by(() => {
    if (this.#supposed > 0) return 0
    const last = Math.max(0, this.#count() - 1)
    return Math.min(last, Math.max(0, Math.floor(this.#top / this.rowHeight) - this.#beyond))
  })

  /** The row after the last that is drawn. */
  readonly end = $derived.by(() =>
    Math.max(
      0,
      Math.min(
        this.#count(),
        Math.max(this.#supposed, Math.ceil((this.#top + this.#height) / this.rowHeight) + this.#beyond),
      ),
    ),
  )

  /** Height of the rows before and after those that are drawn, in pixels. */
  get before(): number {
    return this.first * this.rowHeight
  }
  get after(): number {
    return Math.max(0, this.#count() - this.end) * this.rowHeight
  }

  /** Whole rows that fit; a page of the keyboard. */
  get page(): number {
    return Math.max(1, Math.floor(this.#height / this.rowHeight) - 1)
  }

  /** Takes where the list is scrolled to and how much of it can be seen, in pixels. */
  take(top: number, height: number): void {
    this.#top = top
    this.#height = height
    if (this.#beyond === BEYOND || height <= 0) return
    // What cannot be seen is no reason to show the rest a frame later.
    afterPicture(() => {
      this.#beyond = BEYOND
      this.#supposed = 0
    })
  }

  /** Where to scroll to so that a row is seen whole, or null where it is already. */
  reveal(index: number, top: number, height: number): number | null {
    const begin = index * this.rowHeight
    if (begin < top) return begin
    const end = begin + this.rowHeight
    return end > top + height ? end - height : null
  }
}

/** A column of a grid of rows, by its head. */
export interface GridColumn<K extends string> {
  key: K
  label: string
  /** Whether a press on it sorts. */
  sorts: boolean
  class?: string
  /** The mark stands before the name, as for numbers that stand at the right. */
  turned?: boolean
}

/** A row of a grid as its snippet is given it. `top` in pixels. */
export interface DrawnRow<T> {
  row: T
  /** Of the element, which the grid names as the active one. */
  id: string
  index: number
  top: number
  selected: boolean
  /** The keys begin from here. */
  cursor: boolean
}
