import { joined, parentOf } from '../../../contract/rules/paths.ts'
import { api } from '../../../contract/areas/index.ts'
import type { FileEntry, FileLimits } from '../../../contract/bridge/values.ts'
import type { ApiClient } from '../../api/client.ts'
import { PanelProblem } from '../../base/problem.ts'
import { isPartial, pagesOf } from '../../transfers/items/expand-folder.ts'

const FILES_MOST = 1000
/** Folders listed before a deletion, while the user waits for the question. */
const FOLDERS_MOST = 100

export interface SaveCandidate {
  path: string
  /** The deleted path that contains it. */
  of: string
}

export interface DeletionPlan {
  files: SaveCandidate[]
  /** Parents first. */
  folders: string[]
  /** Paths that are too large, beyond the limits, unreadable, or not fully listed. */
  lost: string[]
}

const codeOf = (error: unknown) => (error instanceof PanelProblem ? error.problem.code : null)

/** A trash that is disabled or has no capacity doesn't count. */
function keeps(trash: FileLimits['trash']): boolean {
  const bounds = [trash?.maxBytes, trash?.maxDays].filter((bound) => typeof bound === 'number')
  return bounds.length > 0 && bounds.every((bound) => bound > 0)
}

export async function hasTrash(client: ApiClient, serverId: string): Promise<boolean> {
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

/** Keeps files in listing order until the space is used up. Throws if the service can't be asked. */
export async function planDeletion(
  client: ApiClient,
  serverId: string,
  paths: string[],
  bytes: number,
): Promise<DeletionPlan> {
  const plan: DeletionPlan = { files: [], folders: [], lost: [] }
  const waiting: { path: string; of: string }[] = []
  let room = bytes
  const take = (entry: FileEntry, path: string, of: string): void => {
    const fits = entry.kind === 'file' && typeof entry.size === 'number' && entry.size <= room
    if (fits && plan.files.length < FILES_MOST) {
      room -= entry.size ?? 0
      plan.files.push({ path, of })
    } else if (entry.kind === 'folder' && plan.folders.length < FOLDERS_MOST) {
      plan.folders.push(path)
      waiting.push({ path, of })
    } else plan.lost.push(path)
  }
  /** Returns whether everything in the folder was listed. */
  const each = async (folder: string, found: (entry: FileEntry) => void): Promise<boolean> => {
    try {
      for await (const page of pagesOf(client, serverId, folder)) page.forEach(found)
      return true
    } catch (error) {
      if (isPartial(error) || ['forbidden', 'unavailable', 'not-found'].includes(codeOf(error) ?? ''))
        return false
      throw error
    }
  }

  // Unlisted items may exist, and would be deleted as well.
  const unseen = new Set(paths)
  for (const [folder, inIt] of Map.groupBy(new Set(paths), parentOf)) {
    const asked = new Set(inIt)
    await each(folder, (entry) => {
      const path = joined(folder, entry.name)
      if (!asked.has(path)) return
      // A name listed twice is one item.
      if (unseen.delete(path)) take(entry, path, path)
    })
  }
  plan.lost.push(...unseen)
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { path, of } = next
    if (!(await each(path, (entry) => take(entry, joined(path, entry.name), of)))) plan.lost.push(path)
  }
  return plan
}
