import { api } from '../../../contract/areas/index.ts'
import type { ApiClient } from '../../api/client.ts'
import { PanelProblem } from '../../base/problem.ts'
import { answerBytes } from '../items/remote-files.ts'
import { away, passes } from '../../base/backoff.ts'
import type { ItemOutcome, TransferContext } from '../items/context.ts'
import { NO_TARGET, unusableName } from '../items/local-names.ts'
import { changedMeanwhile } from './local-file.ts'
import type { ItemRow } from '../store/rows.ts'

/** Parallel reads: each costs a round trip. */
const AT_ONCE = 8

/** Unread files are added to `ended`. After a failure the rest is sent anyway, so unstable lines progress. */
export async function readSmallFiles(
  context: TransferContext,
  from: ApiClient,
  items: readonly ItemRow[],
  ended: Map<number, ItemOutcome>,
): Promise<Map<number, Uint8Array>> {
  const contents = new Map<number, Uint8Array>()
  const waiting = items.values()
  let stopped = false
  const readOn = async (): Promise<void> => {
    while (!stopped) {
      const { value: item } = waiting.next()
      if (!item) return
      try {
        contents.set(item.id, await fetchOne(context, from, item))
      } catch (error) {
        stopped ||= context.signal.aborted || !(error instanceof PanelProblem) || isAway(error)
        context.signal.throwIfAborted()
        if (!(error instanceof PanelProblem)) throw error
        const again = isAway(error) || error.problem.code === 'changed'
        ended.set(
          item.id,
          again ? { kind: 'again', because: error } : { kind: 'failed', problem: error.problem },
        )
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readOn))
  for (const { id } of items) if (!contents.has(id) && !ended.has(id)) ended.set(id, { kind: 'later' })
  return contents
}

const isAway = ({ problem }: PanelProblem) => away.has(problem.code) || passes(problem)

/** Never reads more than the announced size. */
async function fetchOne(context: TransferContext, from: ApiClient, item: ItemRow): Promise<Uint8Array> {
  if (item.target === NO_TARGET) throw unusableName('copy', item.source)
  const { signal } = context
  const { size, stream } = await from.open(
    api.files.read,
    { params: { serverId: context.transfer.fromServerId ?? '' }, query: { path: item.source } },
    { signal },
  )
  if (size !== null && size !== item.size) {
    stream.destroy()
    await context.keep(item, { size })
    throw changedMeanwhile(item.path)
  }
  const content = new Uint8Array(item.size)
  let filled = 0
  for await (const chunk of answerBytes({ client: from, signal }, stream)) {
    if (chunk.length > content.length - filled) throw changedMeanwhile(item.path)
    content.set(chunk, filled)
    filled += chunk.length
  }
  if (filled < content.length) throw changedMeanwhile(item.path)
  return content
}
