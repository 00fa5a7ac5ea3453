import type { ServerRef } from '../../../contract/bridge/values.ts'

export interface ExtensionsRequest extends ServerRef {
  what: 'add' | 'update'
}

let asked = $state.raw<ExtensionsRequest | null>(null)

/** Call before navigating to the tab. */
export function askExtensions(wanted: ExtensionsRequest): void {
  asked = wanted
}

/** Returns the request for this server once. */
export function takeAsked({ connectionId, serverId }: ServerRef): ExtensionsRequest['what'] | null {
  if (asked?.connectionId !== connectionId || asked.serverId !== serverId) return null
  const { what } = asked
  asked = null
  return what
}
