import type { ServerRef } from '../../contract/bridge/values.ts'

/** A player whose name somebody points at, wherever it stands, and where on the page that is. */
export interface AskedPlayer extends ServerRef {
  name: string
  /** In pixels of the window. */
  x: number
  y: number
  /** Gets the focus back. */
  back: HTMLElement | null
}

let asked = $state.raw<AskedPlayer | null>(null)

/** Whose menu is wanted; the frame shows it, from what the players' own feature brings. */
export const askedPlayer = (): AskedPlayer | null => asked

/** Asks for the menu of a player: what can be done with them. */
export function askPlayer(wanted: AskedPlayer | null): void {
  asked = wanted
}

/**
 * Asks for it at an element that shows the name: where the pointer is, or below the element where a key was pressed.
 */
export function askPlayerAt(event: MouseEvent, server: ServerRef, name: string): void {
  event.preventDefault()
  const element = event.currentTarget instanceof HTMLElement ? event.currentTarget : null
  const { left = 0, bottom = 0 } = element?.getBoundingClientRect() ?? {}
  const byKey = event.clientX === 0 && event.clientY === 0
  const place =
    byKey || event.type === 'click' ? { x: left, y: bottom } : { x: event.clientX, y: event.clientY }
  askPlayer({ ...server, name, ...place, back: element })
}
