import { untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'
import type { RowWindow } from './row-window.svelte.ts'

/**
 * Draws only rows near the visible part. Attach to the rows' parent; each row needs `data-row`. Row height is
 * measured: it varies with width and text size.
 */
export function rowsInPage(rows: RowWindow): Attachment<HTMLElement> {
  return (list) => {
    const scroller = scrollerOf(list)
    scroller.add(list, rows)
    return () => scroller.remove(list)
  }
}

/** Lists of one scroll container, measured together to avoid a layout per list. */
class Scroller {
  readonly #element: HTMLElement
  readonly #lists = new Map<HTMLElement, RowWindow>()
  readonly #sizes = new ResizeObserver(() => this.#measure())
  readonly #scrolled = () => this.#measure()
  #due = false

  constructor(element: HTMLElement) {
    this.#element = element
  }

  add(list: HTMLElement, rows: RowWindow): void {
    if (this.#lists.size === 0) {
      this.#element.addEventListener('scroll', this.#scrolled, { passive: true })
      this.#sizes.observe(this.#element)
    }
    this.#lists.set(list, rows)
    // A growing list moves the ones below it.
    this.#sizes.observe(list)
    // The observer reports drawn lists after layout. Untracked, or each scrolled row would register the list
    // again.
    if (this.#due || untrack(() => rows.end) > 0) return
    this.#due = true
    // Before the frame is painted, once for all lists added with it.
    queueMicrotask(() => {
      this.#due = false
      this.#measure()
    })
  }

  remove(list: HTMLElement): void {
    this.#lists.delete(list)
    this.#sizes.unobserve(list)
    if (this.#lists.size > 0) return
    this.#element.removeEventListener('scroll', this.#scrolled)
    this.#sizes.disconnect()
  }

  #measure(): void {
    const seen = this.#element.getBoundingClientRect()
    // Read everything before writing: writes may change the layout.
    const found = [...this.#lists].map(([list, rows]) => ({
      rows,
      top: seen.top - list.getBoundingClientRect().top,
      row: list.querySelector('[data-row]')?.getBoundingClientRect().height ?? 0,
    }))
    for (const { rows, top, row } of found) {
      if (row > 0) rows.rowHeight = row
      rows.take(top, seen.height)
    }
  }
}

const scrollers = new WeakMap<HTMLElement, Scroller>()

function scrollerOf(list: HTMLElement): Scroller {
  let element = list.parentElement ?? list
  while (element.parentElement && !/auto|scroll/.test(getComputedStyle(element).overflowY))
    element = element.parentElement
  let scroller = scrollers.get(element)
  if (!scroller) scrollers.set(element, (scroller = new Scroller(element)))
  return scroller
}
