import { SvelteMap } from 'svelte/reactivity'
import { send } from './bridge.ts'

/**
 * Ids of what files are sent to that is in no list of servers: servers that are being moved in (null), and what is to be
 * installed, with the name of the server it is for.
 */
export const movingIn = new SvelteMap<string, string | null>()

/** Deletes what was sent and is not wanted. What cannot be deleted now, the service deletes by itself in the end. */
export async function forgetSent(connectionId: string, importId: string): Promise<void> {
  await send('servers.remove-import', { connectionId, params: { importId } }).catch(() => undefined)
  movingIn.delete(importId)
}
