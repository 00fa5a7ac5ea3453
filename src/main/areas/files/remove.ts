import { api } from '../../../contract/areas/index.ts'
import { NO_TRASH } from '../../../contract/bridge/problem.ts'
import type { FileLimits, ItemResult, ServerRef, TrashEntry } from '../../../contract/bridge/values.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import { Lanes } from '../../../contract/rules/lanes.ts'
import type { ApiClient } from '../../api/client.ts'
import { PanelProblem, problem } from '../../base/problem.ts'
import { readWhole, textOf } from './contents.ts'
import type { PreviousVersions } from './previous-versions.ts'
import type { ItemResults } from '../../../contract/areas/values/file-values.ts'

/** Texts of one deletion that are kept as previous versions. */
const TEXTS_MOST = 20
const AT_ONCE = 4

const codeOf = (error: unknown) => (error instanceof PanelProblem ? error.problem.code : null)

/** A trash that is disabled or has no capacity doesn't count. */
function keeps(trash: FileLimits['trash']): boolean {
  const bounds = [trash?.maxBytes, trash?.maxDays].filter((bound) => typeof bound === 'number')
  return bounds.length > 0 && bounds.every((bound) => bound > 0)
}

async function hasTrash(client: ApiClient, serverId: string): Promise<boolean> {
  const input = { params: { serverId } }
  try {
    // Limits are short; the trash may list thousands of entries.
    if (keeps((await client.send(api.files.limits, input)).value.trash)) return true
  } catch (error) {
    if (!['unavailable', 'forbidden'].includes(codeOf(error) ?? '')) throw error
  }
  try {
    await client.send(api.files.trash, input)
    return true
  } catch (error) {
    // Forbidden means it exists.
    if (codeOf(error) === 'forbidden') return true
    if (codeOf(error) === 'unavailable') return false
    throw error
  }
}

/**
 * Deletes into the service's trash, and keeps small texts as previous versions first. Without a trash throws `changed`
 * with `NO_TRASH`, unless it is to be permanent.
 */
export async function removeItems(
  client: ApiClient,
  server: ServerRef,
  { paths, permanent }: { paths: string[]; permanent: boolean },
  former: PreviousVersions,
): Promise<{ results: ItemResult[]; trash: TrashEntry[] }> {
  if (!permanent && !(await hasTrash(client, server.serverId)))
    throw problem('changed', localized('file.no-trash'), { serviceCode: NO_TRASH })
  const lanes = new Lanes({ atOnce: AT_ONCE })
  const texts = [...new Set(paths)].slice(0, TEXTS_MOST)
  const kept = await Promise.all(
    texts.map(async (path) => ({
      path,
      id: await lanes.run('', () => keepText(client, server, path, former)),
    })),
  )
  // Unconfirmed items may be deleted, so their texts stay.
  let perhaps: string[] = []
  try {
    const input = { params: { serverId: server.serverId }, body: { paths } }
    const { value } = await client.send(api.files.remove, input, {
      headMs: api.files.remove.patience ?? undefined,
    })
    const results = namedResults(paths, value)
    perhaps = results
      .filter(({ outcome }) => outcome === 'done' || outcome === 'unconfirmed')
      .map(({ path }) => path)
    return { results, trash: value?.trash ?? [] }
  } catch (error) {
    if (error instanceof PanelProblem && error.problem.unsure) perhaps = paths
    throw error
  } finally {
    const gone = new Set(perhaps)
    for (const { path, id } of kept) if (!gone.has(path)) await former.remove(id)
  }
}

/** Null if unreadable: the service decides then. */
async function keepText(
  client: ApiClient,
  server: ServerRef,
  path: string,
  former: PreviousVersions,
): Promise<string | null> {
  const whole = await readWhole({ client, serverId: server.serverId, path }).catch(() => null)
  if (whole?.kind !== 'bytes' || textOf(whole.bytes) === null) return null
  return former.keep(server, path, whole.bytes, 'deleted')
}

const UNCONFIRMED = { code: 'panel.unconfirmed', ...localized('file.unconfirmed') }

/** In request order. Items missing from the answer, or with an unknown outcome, are unconfirmed. */
export function namedResults(
  asked: readonly string[],
  answer: Pick<ItemResults, 'results'> | null,
): ItemResult[] {
  const named = new Map(answer?.results.map((result) => [result.path, result]))
  return asked.map((path): ItemResult => {
    const result = named.get(path)
    if (result && typeof result.outcome === 'string') return { ...result, outcome: result.outcome }
    return { path, outcome: 'unconfirmed', error: result?.error ?? UNCONFIRMED }
  })
}
