import { SvelteMap } from 'svelte/reactivity'
import { send } from './bridge.ts'

/**
 * Upload targets that are in no server list: ids of imports (null), and of installations with the name of
 * their
 * server.
 */
export const movingIn = new SvelteMap<string, string | null>()

/** Deletes an unwanted upload. On failure the service deletes it eventually. */
export async function forgetSent(connectionId: string, importId: string): Promise<void> {
  await send('servers.remove-import', { connectionId, params: { importId } }).catch(() => undefined)
  movingIn.delete(importId)
}
