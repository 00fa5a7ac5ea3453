import { SvelteMap } from 'svelte/reactivity'
import type { Transfer } from '../../contract/bridge/transfer-values.ts'
import { call, on, send, type Stop } from './bridge.ts'

/** Uploads that belong to no listed server: ids of imports (null), or of installations with their server's name. */
export const movingIn = new SvelteMap<string, string | null>()

/** Deletes an unwanted upload. On failure the service deletes it eventually. */
export async function forgetSent(connectionId: string, importId: string): Promise<void> {
  await send('servers.remove-import', { connectionId, params: { importId } }).catch(() => undefined)
  movingIn.delete(importId)
}

/** Calls back now and on each change; with undefined while the transfer isn't listed. */
export function followTransfer(transferId: string, moved: (transfer: Transfer | undefined) => void): Stop {
  const found = ({ items }: { items: readonly Transfer[] }) =>
    moved(items.find(({ id }) => id === transferId))
  const stop = on('transfers', found)
  // It may have ended before we subscribed.
  void call('transfers.list').then(found, () => undefined)
  return stop
}

/** Cancels a transfer, which fails if it has ended, and takes it out of the list. */
export async function dropTransfer(transferId: string): Promise<void> {
  await call('transfers.cancel', { transferId }).catch(() => undefined)
  await call('transfers.clear', { transferId }).catch(() => undefined)
}
