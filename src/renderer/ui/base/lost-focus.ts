import { tick } from 'svelte'

/**
 * Gives the focus to something near where what had it went away with what was done: the next Tab would otherwise begin
 * somewhere else. Who has moved on meanwhile keeps it.
 */
export async function giveLostFocus(find: () => HTMLElement | null | undefined): Promise<void> {
  await tick()
  if (document.activeElement === document.body) find()?.focus({ preventScroll: true })
}
