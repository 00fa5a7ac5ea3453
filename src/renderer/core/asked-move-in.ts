import type { ServerRef } from '../../contract/bridge/values.ts'

/** A copy of a server that a new server is to be made from. */
export interface CopyToMoveIn extends ServerRef {
  id: string
  name: string
}

let asked: { to: string; copy: CopyToMoveIn } | null = null

/** Asks for a copy to be moved in, once the page for creating a server at connection `to` is shown. */
export function askMoveIn(to: string, copy: CopyToMoveIn): void {
  asked = { to, copy }
}

/** Returns what was asked for a connection, once. */
export function takeMoveIn(to: string): CopyToMoveIn | null {
  if (asked?.to !== to) return null
  const { copy } = asked
  asked = null
  return copy
}
