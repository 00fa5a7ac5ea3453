import { isWithin } from '../../../contract/rules/paths.ts'
import { api } from '../../../contract/areas/index.ts'
import type { ParsedCallInput } from '../../../contract/bridge/calls.ts'
import type {
  Deletion,
  ItemResult,
  SavedVersions,
  ServerRef,
  TrashEntry,
} from '../../../contract/bridge/values.ts'
import { MORE_LOST } from '../../../contract/bridge/problem.ts'
import { say } from '../../../contract/messages/say.ts'
import type { ApiClient } from '../../api/client.ts'
import { PanelProblem, problem } from '../../base/problem.ts'
import type { AgreedDeletions } from './agreed-deletions.ts'
import { readWhole } from './contents.ts'
import { type DeletionPlan, hasTrash, planDeletion, type SaveCandidate } from './deletion.ts'
import type { PreviousVersions } from './previous-versions.ts'
import { namedResults } from './named-results.ts'
import { textOf } from './text.ts'

/** Texts kept if the service has a trash, which has everything. */
const TEXTS_OF_ONE_DELETION = 20
const AT_ONCE = 4
const NAMED = 20

const NOTHING: DeletionPlan = { files: [], folders: [], lost: [] }

const GONE = Symbol('gone')
const NOT_KEPT = { code: 'panel.not-kept', ...say('file.not-kept') }

interface SavedFile extends SaveCandidate {
  id: string
}

export interface DeletionContext {
  former: PreviousVersions
  agreed: AgreedDeletions
}

export async function deletionOf(
  client: ApiClient,
  { serverId }: ServerRef,
  paths: string[],
  { former, agreed }: DeletionContext,
): Promise<Deletion> {
  if (await hasTrash(client, serverId)) return { trash: true }
  const { files, lost } = await planDeletion(client, serverId, paths, former.room)
  const id = agreed.ask(lost)
  return { trash: false, id, kept: files.length, lost: lost.slice(0, NAMED), lostCount: lost.length }
}

/**
 * Deletes, using the service's trash if it has one. Keeps small texts first; without a trash, everything that
 * fits. What should be kept but can't be isn't deleted. Throws `changed` if more would be lost than the question
 * named, or if the trash is gone.
 */
export async function removeItems(
  client: ApiClient,
  server: ServerRef,
  { paths, keep, question }: Pick<ParsedCallInput<'files.remove'>, 'paths' | 'keep' | 'question'>,
  { former, agreed }: DeletionContext,
): Promise<{ results: ItemResult[]; trash: TrashEntry[]; kept: SavedVersions }> {
  const plan = keep === 'all' ? await planDeletion(client, server.serverId, paths, former.room) : NOTHING
  const isAgreed =
    keep === 'texts' ? await hasTrash(client, server.serverId) : agreed.covers(question, plan.lost)
  if (!isAgreed) throw problem('changed', say('file.more-lost'), { serviceCode: MORE_LOST })
  const texts = keep === 'texts' ? [...new Set(paths)].slice(0, TEXTS_OF_ONE_DELETION) : []
  const kept: SavedFile[] = []
  const stay = new Set<string>()
  await eachOf(texts, async (path) => {
    const id = await keepText(client, server, path, former)
    if (id !== null) kept.push({ path, of: path, id })
  })
  await eachOf(plan.files, async (file) => {
    const id = stay.has(file.of) ? null : await keepFile(client, server, file.path, former)
    if (id === null) stay.add(file.of)
    else if (id !== GONE) kept.push({ ...file, id })
  })

  const going = paths.filter((path) => !stay.has(path))
  const notKept = paths
    .filter((path) => stay.has(path))
    .map((path): ItemResult => ({ path, outcome: 'failed', error: NOT_KEPT }))
  const done = new Set<string>()
  try {
    if (going.length === 0) return { results: notKept, trash: [], kept: { ids: [], folders: [] } }
    const input = { params: { serverId: server.serverId }, body: { paths: going } }
    const { value } = await client.send(api.files.remove, input, {
      headMs: api.files.remove.patience ?? undefined,
    })
    const results = namedResults(going, value)
    // Unconfirmed items may be deleted, so their copies stay.
    const perhaps = results.filter(({ outcome }) => outcome === 'done' || outcome === 'unconfirmed')
    for (const { path } of perhaps) done.add(path)
    const trash = value?.trash ?? []
    const inTrash = new Set(trash.map(({ path }) => path))
    const lost = kept.filter(({ of }) => done.has(of) && !inTrash.has(of))
    const folders = plan.folders.filter((path) => [...done].some((of) => isWithin(path, of)))
    return {
      results: [...notKept, ...results],
      trash,
      kept: { ids: lost.map(({ id }) => id), folders: trash.length > 0 ? [] : folders },
    }
  } catch (error) {
    if (error instanceof PanelProblem && error.problem.unsure) for (const path of going) done.add(path)
    throw error
  } finally {
    // What still exists needs no copy.
    for (const { id, of } of kept) if (!done.has(of)) await former.remove(id)
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

async function keepFile(
  client: ApiClient,
  server: ServerRef,
  path: string,
  former: PreviousVersions,
): Promise<string | typeof GONE | null> {
  const input = { params: { serverId: server.serverId }, query: { path } }
  try {
    const { stream } = await client.open(api.files.read, input)
    return await former.keep(server, path, { stream, most: former.room }, 'deleted')
  } catch (error) {
    if (!(error instanceof PanelProblem)) throw error
    return error.problem.code === 'not-found' ? GONE : null
  }
}

async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const next = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
}
