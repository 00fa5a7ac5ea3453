import { say } from '../../../contract/messages/say.ts'
import { nameOf } from '../../../contract/pure/paths.ts'
import type { ApiClient } from '../../api/client.ts'
import { problem } from '../../api/problem.ts'
import { remoteEntry } from '../send/compare-remote.ts'
import type { NewItem } from '../store/rows.ts'
import { newItem } from './expand-folder.ts'
import { isUsable } from './local-names.ts'

/** Items for what was chosen on a server; `target` says where each goes. Throws `not-found` where one of them is gone. */
export async function chosenItems(
  client: ApiClient,
  serverId: string,
  paths: readonly string[],
  target: (name: string) => string,
): Promise<NewItem[]> {
  return Promise.all(
    paths.map(async (path) => {
      const entry = await remoteEntry(client, serverId, path)
      if (!entry) throw problem('not-found', say('send.source-gone', { name: nameOf(path) }))
      if (!isUsable(entry.name)) throw problem('invalid', say('name.nowhere', { name: entry.name }))
      const parent = path.slice(0, Math.max(path.length - entry.name.length - 1, 0))
      return { ...newItem({ path: '', source: parent }, entry, target(entry.name)) }
    }),
  )
}
