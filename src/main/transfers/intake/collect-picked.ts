import { say } from '../../../contract/messages/say.ts'
import { problem } from '../../base/problem.ts'
import type { Bytes } from '../bytes/bytes.ts'
import type { NewTransfer } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { nameOfAll, type PickedPaths, pickedItems } from './picked.ts'

/**
 * Queues what was picked on this computer. A tree may hold hundreds of thousands of files: they go to the queue's file page
 * by page, and the transfer begins when it has all of them. Where that does not come about, there is none.
 */
export async function collectPicked(
  { store, bytes, client }: { store: Store; bytes: Bytes; client: (connectionId: string) => unknown },
  transfer: NewTransfer,
  picked: PickedPaths,
): Promise<void> {
  const name = nameOfAll([...picked.files.map(({ path }) => path), ...picked.folders])
  await store.collect({ ...transfer, name })
  const gone = () => {
    // It says so itself where its connection was forgotten meanwhile.
    client(transfer.connectionId)
    return problem('not-found', say('send.over'))
  }
  try {
    // What is kept of a connection goes once it is forgotten: what came to the queue after that would stay.
    client(transfer.connectionId)
    let isEmpty = true
    for await (const items of pickedItems(picked, bytes)) {
      isEmpty &&= items.length === 0
      if (items.length > 0 && !(await store.collected(transfer.id, items))) throw gone()
    }
    if (isEmpty) throw problem('invalid', say('send.nothing'))
    if (!(await store.begin(transfer.id))) throw gone()
  } catch (error) {
    // Where the queue's own disk is full it stays unknown, and goes at the next start.
    await store.discard(transfer.id).catch(() => undefined)
    throw error
  }
}
