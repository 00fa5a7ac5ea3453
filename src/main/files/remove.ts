import { api } from '../../contract/api/index.ts'
import type { ItemResult, ServerRef, TrashEntry } from '../../contract/bridge/values.ts'
import type { ApiClient } from '../api/client.ts'
import { PanelProblem } from '../api/problem.ts'
import { readWhole } from './contents.ts'
import type { FormerContents } from './former-contents.ts'
import { textOf } from './text.ts'

/** Of one deletion so many files are kept here at most; with more, or with folders, the service's trash has to do. */
const KEPT_OF_ONE_DELETION = 20
/** Files read at once before they are deleted. */
const AT_ONCE = 4
/** A large tree is moved into the trash within this, in ms. */
export const TREE_MS = 5 * 60_000

/** Deletes into the trash of the service; small texts among what is named are kept on this computer first. */
export async function removeItems(
  client: ApiClient,
  server: ServerRef,
  paths: string[],
  former: FormerContents,
): Promise<{ results: ItemResult[]; trash: TrashEntry[] }> {
  const kept = await keepTexts(client, server, paths.slice(0, KEPT_OF_ONE_DELETION), former)
  const input = { params: { serverId: server.serverId }, body: { paths } }
  try {
    const { value } = await client.send(api.files.remove, input, { headMs: TREE_MS })
    for (const { path, outcome } of value.results) {
      if (outcome === 'done') kept.delete(path)
    }
    return { results: value.results, trash: value.trash ?? [] }
  } catch (error) {
    // Nobody knows whether it was done.
    if (error instanceof PanelProblem && ['offline', 'service-failed'].includes(error.problem.code))
      kept.clear()
    throw error
  } finally {
    // What was not deleted is not former.
    for (const id of kept.values()) await former.drop(id)
  }
}

/** Path → id of what was kept. What cannot be read here is the service's to judge. */
async function keepTexts(
  client: ApiClient,
  server: ServerRef,
  paths: string[],
  former: FormerContents,
): Promise<Map<string, string>> {
  const kept = new Map<string, string>()
  const waiting = [...new Set(paths)]
  const work = async () => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const whole = await readWhole({ client, serverId: server.serverId, path }).catch(() => null)
      if (whole?.kind !== 'bytes' || textOf(whole.bytes) === null) continue
      const id = await former.keep(server, path, whole.bytes, 'deleted')
      if (id !== null) kept.set(path, id)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return kept
}
