import { refusalText } from '../../contract/messages/refusals/index.ts'
import { lstatSync } from 'node:fs'
import { basename } from 'node:path'
import type { z } from 'zod'
import type { Conflict, ItemResult, TrashEntry } from '../../contract/areas/values/file-values.ts'
import type { Logger } from 'pino'
import { toldOf, type RefusalReport, Refusal } from '../../host/refusal.ts'
import { isWithin, MOST_DEPTH, parentOf } from '../../contract/rules/paths.ts'
import { requireDepth } from './names/names.ts'
import { moveIntoPlace, type MoveResult } from './write/move-into-place.ts'
import { asRefusal, canceled, intoItself, refusing, tooDeepInside } from './names/refusals.ts'
import type { FileLocation, ServerFiles } from './server-files.ts'
import type { Trash } from './trash.ts'
import { copyTree, flushTree } from './safe-fs/copy-tree.ts'
import { openRoot } from './safe-fs/opened-folder.ts'
import { removeTree } from './safe-fs/remove-tree.ts'
import { isDeeper, measureTree } from './safe-fs/walk.ts'

export interface ActionContext {
  files: ServerFiles
  trash: Trash
  log: Logger
  /** Throws if no longer permitted; call right before changing each item. */
  checkAgain: () => void
}

export type Result = z.input<typeof ItemResult>

export async function resultOf(log: Logger, path: string, act: () => Promise<MoveResult>): Promise<Result> {
  try {
    const { outcome, path: finalPath } = await act()
    return { path, outcome, finalPath }
  } catch (thrown) {
    return { path, outcome: 'failed', error: errorOf(log, thrown, path) }
  }
}

export function errorOf(log: Logger, thrown: unknown, path: string): RefusalReport {
  const error = asRefusal(thrown, path)
  if (error instanceof Refusal) return error.asTold
  log.error({ err: error }, 'an item failed')
  return toldOf(refusalText('service.failed'))
}

export async function moveItem(
  desk: ActionContext,
  from: string,
  to: string,
  conflict: Conflict,
): Promise<MoveResult> {
  const { files } = desk
  return refusing(from, async () => {
    using located = files.locate(from)
    const stat = lstatSync(located.at)
    const target = files.resolve(to)
    if (target === located.path) return { outcome: 'done', path: to }
    const above = requireTarget(located, target)
    // Moving sideways or up makes nothing deeper.
    const isFurtherDown = stat.isDirectory() && above > depthOf(parentOf(located.path))
    if (isFurtherDown && (await isDeeper(located.folder, located.name, MOST_DEPTH - above)))
      throw tooDeepInside(from)
    return await refusing(to, () => moveIntoPlace(desk, located.at, to, conflict))
  })
}

/** Copies to staging first, then moves it into place. Throws Refusal 499 when canceled; cleans up. */
export async function copyItem(
  desk: ActionContext,
  from: string,
  to: string,
  conflict: Conflict,
  signal: AbortSignal,
): Promise<MoveResult> {
  const { files } = desk
  return refusing(from, async () => {
    using located = files.locate(from)
    lstatSync(located.at)
    const above = requireTarget(located, files.resolve(to))
    const { bytes, depth } = await measureTree(located.folder, located.name)
    if (above + depth > MOST_DEPTH) throw tooDeepInside(from)
    using reservation = await files.space.reserve(bytes)
    const temp = files.newTemp()
    try {
      using staging = openRoot(files.staging)
      await copyTree(files, located, { folder: staging, name: basename(temp) }, signal, reservation)
      await flushTree(temp)
      if (signal.aborted) throw canceled()
      const moved = await refusing(to, () => moveIntoPlace(desk, temp, to, conflict))
      if (moved.outcome === 'done') files.space.add(bytes)
      return moved
    } finally {
      await removeTree(temp)
    }
  })
}

export async function trashItem(
  { files, trash, checkAgain }: ActionContext,
  path: string,
  call: string,
  number: number,
): Promise<z.input<typeof TrashEntry>> {
  return refusing(path, async () => {
    using located = files.locate(path)
    checkAgain()
    return await trash.take(located, call, number)
  })
}

export async function restoreItem(desk: ActionContext, id: string, conflict: Conflict): Promise<MoveResult> {
  const { path, at } = await desk.trash.find(id)
  return refusing(path, async () => {
    const moved = await moveIntoPlace(desk, at, path, conflict, { returns: true })
    if (moved.outcome === 'done') await desk.trash.release(id)
    return moved
  })
}

const depthOf = (path: string): number => (path === '' ? 0 : path.split('/').length)

/** Returns the number of parent folders. Throws 409 `files.into-itself`, 422 `files.too-deep`. */
function requireTarget(from: FileLocation, target: string): number {
  if (target !== from.path && isWithin(target, from.path)) throw intoItself(from.path)
  requireDepth(target)
  return depthOf(parentOf(target))
}
