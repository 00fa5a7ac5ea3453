import { tick } from 'svelte'

/**
 * Moves the focus nearby if the focused element disappeared with the action, so Tab does not start over.
 * Leaves it
 * if the user has moved on.
 */
export async function giveLostFocus(find: () => HTMLElement | null | undefined): Promise<void> {
  await tick()
  if (document.activeElement === document.body) find()?.focus({ preventScroll: true })
}
