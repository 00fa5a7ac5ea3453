import { SvelteMap } from 'svelte/reactivity'
import { send } from './bridge.ts'

/** Uploads that belong to no listed server: ids of imports (null), or of installations with their server's name. */
export const movingIn = new SvelteMap<string, string | null>()

/** Deletes an unwanted upload. On failure the service deletes it eventually. */
export async function forgetSent(connectionId: string, importId: string): Promise<void> {
  await send('servers.remove-import', { connectionId, params: { importId } }).catch(() => undefined)
  movingIn.delete(importId)
}
