import { tick } from 'svelte'

/** Has the focus until something better appears. */
let lent: HTMLElement | null = null

export function isFocusLost(): boolean {
  const at = document.activeElement
  return !at || at === document.body || at === lent
}

/** Whether whoever closes a menu wants the focus back where it was: nobody has clicked elsewhere. */
export const isFocusOfMenu = (): boolean =>
  isFocusLost() || Boolean(document.activeElement?.closest('[role=menu]'))

/**
 * Moves a lost focus nearby, so that Tab does not start over. Does nothing if the user has moved on. `lend`: until a part
 * that is still being loaded takes it.
 */
export async function giveLostFocus(
  find: () => HTMLElement | null | undefined,
  lend: 'lend' | null = null,
): Promise<void> {
  await tick()
  if (!isFocusLost()) return
  const to = find()
  if (!to) return
  to.focus({ preventScroll: true })
  lent = lend && to
  to.addEventListener('blur', () => (lent = null), { once: true })
}
