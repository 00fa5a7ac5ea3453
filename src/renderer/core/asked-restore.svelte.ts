import type { ServerRef } from '../../contract/bridge/values.ts'

export interface RestoreRequest extends ServerRef {
  /** UUID of the player whose saved state is wanted back. */
  player: string
}

let asked = $state.raw<RestoreRequest | null>(null)

/** Asks for a backup to bring a player back from, once the backups of the server are shown. */
export function askRestore(request: RestoreRequest): void {
  asked = request
}

/** Returns what was asked for a server, once. */
export function takeRestore({ connectionId, serverId }: ServerRef): RestoreRequest | null {
  const request = asked
  if (request?.connectionId !== connectionId || request.serverId !== serverId) return null
  asked = null
  return request
}
