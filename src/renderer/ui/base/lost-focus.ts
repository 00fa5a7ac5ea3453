import { tick } from 'svelte'

/** Moves a lost focus nearby, so that Tab does not start over. Does nothing if the user has moved on. */
export async function giveLostFocus(find: () => HTMLElement | null | undefined): Promise<void> {
  await tick()
  if (document.activeElement === document.body) find()?.focus({ preventScroll: true })
}
