import type { ServerRef } from '../../../contract/bridge/values.ts'

/** What somebody wants to see of a server's extensions, from another place: finding more, or updating all. */
export interface AskedOfExtensions extends ServerRef {
  what: 'add' | 'update'
}

let asked = $state.raw<AskedOfExtensions | null>(null)

/** Asks for it; the tab shows it, when it is there. Whoever goes there calls this first. */
export function askExtensions(wanted: AskedOfExtensions): void {
  asked = wanted
}

/** What was asked of this server, once. */
export function takeAsked({ connectionId, serverId }: ServerRef): AskedOfExtensions['what'] | null {
  if (asked?.connectionId !== connectionId || asked.serverId !== serverId) return null
  const { what } = asked
  asked = null
  return what
}
