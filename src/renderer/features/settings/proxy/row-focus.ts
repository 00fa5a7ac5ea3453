import { tick } from 'svelte'

const buttonsOf = (item: Element): HTMLElement[] =>
  item.matches('select') ? [item] : [...item.querySelectorAll<HTMLElement>('button, select')]

/**
 * Takes an item out of its list. The keyboard, if it stood there, goes to the same place of the item that comes next, else of
 * the one before; where none is left, to what adds one.
 */
export async function takeOut(
  item: Element,
  act: () => void,
  add: () => HTMLElement | undefined,
): Promise<void> {
  const stood = item.contains(document.activeElement)
  const beside = [item.nextElementSibling, item.previousElementSibling]
  act()
  await tick()
  if (!stood || item.isConnected) return
  const next = beside.find((one) => one?.isConnected && buttonsOf(one).length > 0)
  const to = next ? buttonsOf(next).at(-1) : add()
  to?.focus()
}

/** Moves an item. In the document that takes the focus from what is in it. */
export async function moved(act: () => void): Promise<void> {
  const had = document.activeElement as HTMLElement | null
  act()
  await tick()
  if (had?.isConnected && document.activeElement !== had) had.focus()
}
