import { tick } from 'svelte'

const buttonsOf = (item: Element): HTMLElement[] =>
  item.matches('select') ? [item] : [...item.querySelectorAll<HTMLElement>('button, select')]

/** Removes an item and moves the focus to the next one, else the previous one, else the add button. */
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

/** Moving an element in the DOM loses the focus in it. */
export async function moved(act: () => void): Promise<void> {
  const had = document.activeElement as HTMLElement | null
  act()
  await tick()
  if (had?.isConnected && document.activeElement !== had) had.focus()
}
