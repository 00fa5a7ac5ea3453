import { parentOf } from '../../../contract/rules/paths.ts'
import { api } from '../../../contract/areas/index.ts'
import type { ItemResult, SavedVersions, ServerRef } from '../../../contract/bridge/values.ts'
import { say } from '../../../contract/messages/say.ts'
import type { ApiClient } from '../../api/client.ts'
import { PanelProblem } from '../../base/problem.ts'
import type { PreviousVersions } from './previous-versions.ts'
import { holds, namesIn, notProven } from '../../transfers/send/verify-upload.ts'

/** Restores a permanent deletion from local copies. Overwrites nothing; restored copies are removed. */
export async function bringBack(
  client: ApiClient,
  server: ServerRef,
  { ids, folders }: SavedVersions,
  former: PreviousVersions,
): Promise<ItemResult[]> {
  const { serverId } = server
  const results: ItemResult[] = []
  const made = new Set<string>()
  const make = async (path: string): Promise<void> => {
    if (path === '' || made.has(path)) return
    made.add(path)
    await client.send(api.files.folder, { params: { serverId }, body: { path, conflict: 'skip' } })
  }
  const attempt = async (path: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      results.push({ path, outcome: 'done' })
    } catch (error) {
      const unsure = error instanceof PanelProblem && error.problem.unsure
      results.push({ path, outcome: unsure ? 'unconfirmed' : 'failed', error: reason(error) })
    }
  }
  for (const path of folders) await attempt(path, () => make(path))
  for (const id of ids) {
    const { path } = (await former.find(server, id)) ?? { path: id }
    await attempt(path, async () => {
      await make(parentOf(path))
      await putBack(client, server, id, former)
      await former.remove(id)
    })
  }
  return results
}

async function putBack(
  client: ApiClient,
  server: ServerRef,
  id: string,
  former: PreviousVersions,
): Promise<void> {
  const { path, size, stream } = await former.open(server, id)
  const { json } = await client.raw(api.files.write, {
    params: { serverId: server.serverId },
    query: { path },
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(size),
      'if-none-match': '*',
    },
    body: stream,
  })
  const again = async () => (await former.open(server, id)).stream
  if (!namesIn(json, path, size) && !(await holds(client, { serverId: server.serverId, path }, again)))
    throw notProven()
}

/** Rethrows `offline` and unexpected errors, which end the restore. */
function reason(error: unknown): NonNullable<ItemResult['error']> {
  if (!(error instanceof PanelProblem) || error.problem.code === 'offline') throw error
  const { code, message, text } = error.problem
  if (code === 'changed') return { code: 'panel.taken-again', ...say('file.taken-again') }
  return { code, message, ...(text && { text }) }
}
