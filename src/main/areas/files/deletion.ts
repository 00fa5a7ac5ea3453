import { joined, parentOf } from '../../../contract/rules/paths.ts'
import { api } from '../../../contract/areas/index.ts'
import type { FileEntry, FileLimits } from '../../../contract/bridge/values.ts'
import type { ApiClient } from '../../api/client.ts'
import { PanelProblem } from '../../base/problem.ts'
import { isPartial, pagesOf } from '../../transfers/items/expand-folder.ts'

/** Most files of one deletion that are kept on this computer. */
const FILES_MOST = 1000
/** Most folders that are looked into before a deletion: a person waits for the question meanwhile. */
const FOLDERS_MOST = 100

/** A file that is kept before it is deleted. */
export interface ToKeep {
  path: string
  /** What of the deletion it belongs to. */
  of: string
}

/** What of a deletion can be kept on this computer. */
export interface DeletionPlan {
  files: ToKeep[]
  /** Those further up first. */
  folders: string[]
  /** Paths of what is too large, too much, cannot be read, or was not listed or only in part. */
  lost: string[]
}

const codeOf = (error: unknown) => (error instanceof PanelProblem ? error.problem.code : null)

/** Whether limits speak of a trash that keeps something: one that is switched off, or holds nothing, is none. */
function keeps(trash: FileLimits['trash']): boolean {
  const bounds = [trash?.maxBytes, trash?.maxDays].filter((bound) => typeof bound === 'number')
  return bounds.length > 0 && bounds.every((bound) => bound > 0)
}

/** Whether what is deleted goes into a trash. Throws where the service cannot be asked. */
export async function hasTrash(client: ApiClient, serverId: string): Promise<boolean> {
  const input = { params: { serverId } }
  try {
    // The limits are short; the trash may hold thousands of entries.
    if (keeps((await client.send(api.files.limits, input)).value.trash)) return true
  } catch (error) {
    if (!['unavailable', 'forbidden'].includes(codeOf(error) ?? '')) throw error
  }
  try {
    await client.send(api.files.trash, input)
    return true
  } catch (error) {
    // There is one, and others may look into it.
    if (codeOf(error) === 'forbidden') return true
    if (codeOf(error) === 'unavailable') return false
    throw error
  }
}

/**
 * Looks through what is to be deleted, and decides what of it is kept: in the order of the listing, what still fits into
 * so many bytes. Throws where the service cannot be asked.
 */
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
  /** Looks into a folder. Answers whether all that is in it was seen. */
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

  // What no list shows can still be there, and goes with the rest.
  const unseen = new Set(paths)
  for (const [folder, inIt] of Map.groupBy(new Set(paths), parentOf)) {
    const asked = new Set(inIt)
    await each(folder, (entry) => {
      const path = joined(folder, entry.name)
      if (!asked.has(path)) return
      // A name that is listed twice stands for one thing.
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
