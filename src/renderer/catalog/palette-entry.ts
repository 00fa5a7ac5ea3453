import type { Server, ServerRef } from '../../contract/bridge/values.ts'
import type { MenuItem } from '../ui/dialog/menu.ts'
import type { StatusKind } from '../core/servers/status.ts'

export interface PaletteEntry {
  id: string
  group: 'here' | 'servers' | 'panel'
  name: string
  /** Tells it from others of its name. */
  note?: string
  /** It is found by this too. */
  also?: string
  icon?: MenuItem['icon']
  status?: StatusKind
  /** Its shortcut, as shown. */
  keys?: string
  reason?: string | null
  choose: () => void
}

/** The server whose page is open. */
export interface PaletteServer extends ServerRef {
  server: Server
}

/** Whether what was typed names it: any word of at least two letters. */
export function isNamed(name: string, typed: string): boolean {
  const all = name.toLocaleLowerCase()
  const words = typed.trim().toLocaleLowerCase().split(/\s+/)
  return words.some((word) => word.length > 1 && all.includes(word))
}
