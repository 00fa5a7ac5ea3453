import { untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'
import type { RowWindow } from './row-window.svelte.ts'

/**
 * Follows where a list of rows lies in the part of the page that scrolls, so that only rows near what can be seen are in
 * the document. Goes on the element that holds the rows; each row bears `data-row`, whose height is measured, because it
 * differs with the window's width and the size of the text.
 */
export function rowsInPage(rows: RowWindow): Attachment<HTMLElement> {
  return (list) => {
    const scroller = scrollerOf(list)
    scroller.add(list, rows)
    return () => scroller.remove(list)
  }
}

/** The lists of one scrolling element. They are measured together: each alone would lay the page out once more. */
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
    // A list that grows moves all that are below it.
    this.#sizes.observe(list)
    // What is drawn already is measured once the frame is laid out anyway: the observer begins by telling its size.
    // Untracked: whoever adds a list does not do so anew with each row that is scrolled.
    if (this.#due || untrack(() => rows.end) > 0) return
    this.#due = true
    // Before the frame is drawn, and once for all lists that come with it.
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
    // All is read before anything is told: what is told may change the page.
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
