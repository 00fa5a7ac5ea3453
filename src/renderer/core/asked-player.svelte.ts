import type { PlayerAction, ServerRef } from '../../contract/bridge/values.ts'

export interface PlayerSheetRequest extends ServerRef {
  name: string
  /** In window pixels. */
  x: number
  y: number
  back: HTMLElement | null
  /** Begun at once, instead of a menu. */
  action?: PlayerAction | undefined
}

let asked = $state.raw<PlayerSheetRequest | null>(null)

export const askedPlayer = (): PlayerSheetRequest | null => asked

export function askPlayer(wanted: PlayerSheetRequest | null): void {
  asked = wanted
}

export function askPlayerAt(event: MouseEvent, server: ServerRef, name: string): void {
  event.preventDefault()
  const element = event.currentTarget instanceof HTMLElement ? event.currentTarget : null
  const { left = 0, bottom = 0 } = element?.getBoundingClientRect() ?? {}
  const byKey = event.clientX === 0 && event.clientY === 0
  const place =
    byKey || event.type === 'click' ? { x: left, y: bottom } : { x: event.clientX, y: event.clientY }
  askPlayer({ ...server, name, ...place, back: element })
}
