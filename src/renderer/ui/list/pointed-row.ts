import type { SelectionMode } from './selection.svelte.ts'

/** Index (`data-row`) of the event's row, or -1. */
export function rowOf(event: Event): number {
  const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null
  return row ? Number(row.dataset.row) : -1
}

export function reachOf({ ctrlKey, metaKey, shiftKey }: MouseEvent): SelectionMode {
  const chord = ctrlKey || metaKey
  if (shiftKey) return chord ? 'add-range' : 'range'
  return chord ? 'toggle' : 'only'
}

/** Opens the row's menu for a key press. `indent`: pixels from the row's left edge. */
export function openMenuAt(row: HTMLElement, indent: number): void {
  const { left, bottom } = row.getBoundingClientRect()
  const place = { clientX: left + indent, clientY: bottom, button: 2, bubbles: true, cancelable: true }
  row.dispatchEvent(new PointerEvent('contextmenu', place))
}
