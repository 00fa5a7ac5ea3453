import { localized } from '../../../contract/messages/localized-text.ts'
import { problem } from '../../base/problem.ts'
import type { Bytes } from '../bytes/bytes.ts'
import type { NewTransfer } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { nameOfAll, type PickedPaths, pickedItems } from './picked.ts'

/** Queues picked files page by page: there may be hundreds of thousands. The transfer exists once complete. */
export async function collectPicked(
  { store, bytes, client }: { store: Store; bytes: Bytes; client: (connectionId: string) => unknown },
  transfer: NewTransfer,
  picked: PickedPaths,
): Promise<void> {
  const name = nameOfAll([...picked.files.map(({ path }) => path), ...picked.folders])
  await store.collect({ ...transfer, name })
  const gone = () => {
    // Throws if the connection was removed meanwhile.
    client(transfer.connectionId)
    return problem('not-found', localized('send.over'))
  }
  try {
    // Don't queue anything for a removed connection: it would never be wiped.
    client(transfer.connectionId)
    let isEmpty = true
    for await (const items of pickedItems(picked, bytes)) {
      isEmpty &&= items.length === 0
      if (items.length > 0 && !(await store.collected(transfer.id, items))) throw gone()
    }
    if (isEmpty) throw problem('invalid', localized('send.nothing'))
    if (!(await store.begin(transfer.id))) throw gone()
  } catch (error) {
    // If the disk is full, it is removed on the next start.
    await store.discard(transfer.id).catch(() => undefined)
    throw error
  }
}
