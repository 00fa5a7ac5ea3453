import type { Reach } from './selection.svelte.ts'

/** The number of the row (`data-row`) that an event is at; -1 where it is at none. */
export function rowOf(event: Event): number {
  const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null
  return row ? Number(row.dataset.row) : -1
}

/** What a click on a row selects, by the keys that are held. */
export function reachOf({ ctrlKey, metaKey, shiftKey }: MouseEvent): Reach {
  const chord = ctrlKey || metaKey
  if (shiftKey) return chord ? 'add-range' : 'range'
  return chord ? 'toggle' : 'only'
}

/** Opens the menu at a row, where a key asked for it: a key knows no place. `indent`: from the row's left edge, in pixels. */
export function openMenuAt(row: HTMLElement, indent: number): void {
  const { left, bottom } = row.getBoundingClientRect()
  const place = { clientX: left + indent, clientY: bottom, button: 2, bubbles: true, cancelable: true }
  row.dispatchEvent(new PointerEvent('contextmenu', place))
}
