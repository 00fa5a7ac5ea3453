import { tell } from '../../contract/messages/refusals/index.ts'
import { lstatSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { z } from 'zod'
import type { Conflict, ItemResult, TrashEntry } from '../../contract/areas/file-values.ts'
import type { Logger } from 'pino'
import { toldOf, type ToldRefusal, Refusal } from '../refusal.ts'
import { splitLast } from '../../contract/pure/paths.ts'
import { moveIntoPlace, type Moved } from './write/move-into-place.ts'
import { asRefusal, cancelled, intoItself, refusing } from './refusals.ts'
import type { Located, ServerFiles } from './server-files.ts'
import type { Trash } from './trash.ts'
import { treeBytes, copyTree, flushTree } from './safe-fs/copy-tree.ts'

/** The files of a server with its trash, and where failures nobody expected are written. */
export interface Desk {
  files: ServerFiles
  trash: Trash
  log: Logger
  /** Throws where who asks may no longer do this: to be called right before each item is changed. */
  checkAgain: () => void
}

export type Result = z.input<typeof ItemResult>

/** Runs `act` for one item of many and says what became of it; what fails is part of the answer. */
export async function resultOf(log: Logger, path: string, act: () => Promise<Moved>): Promise<Result> {
  try {
    const { outcome, path: finalPath } = await act()
    return { path, outcome, finalPath }
  } catch (thrown) {
    return { path, outcome: 'failed', error: errorOf(log, thrown, path) }
  }
}

/** An error as an item's answer names it. */
export function errorOf(log: Logger, thrown: unknown, path: string): ToldRefusal {
  const error = asRefusal(thrown, path)
  if (error instanceof Refusal) return error.asTold
  log.error({ err: error }, 'an item failed')
  return toldOf(tell('service.failed'))
}

/** Moves or renames one thing. */
export async function moveItem(desk: Desk, from: string, to: string, conflict: Conflict): Promise<Moved> {
  return refusing(from, async () => {
    using located = desk.files.locate(from)
    lstatSync(located.at)
    if (isSamePlace(desk, located, to)) return { outcome: 'done', path: to }
    refuseIntoItself(desk, located, to)
    return await refusing(to, () => moveIntoPlace(desk, located.at, to, conflict))
  })
}

/**
 * Copies one thing with all it holds: first beside the world, then in one step into it, so that nothing half is seen.
 * Throws Refusal 499 when cancelled; then nothing is left of it.
 */
export async function copyItem(
  desk: Desk,
  from: string,
  to: string,
  conflict: Conflict,
  signal: AbortSignal,
): Promise<Moved> {
  const { files } = desk
  return refusing(from, async () => {
    using located = files.locate(from)
    lstatSync(located.at)
    refuseIntoItself(desk, located, to)
    const size = await treeBytes(located.folder, located.name)
    using reservation = await files.space.reserve(size)
    const temp = files.newTemp()
    try {
      await copyTree(files, located, temp, signal, reservation)
      await flushTree(temp)
      if (signal.aborted) throw cancelled()
      const moved = await refusing(to, () => moveIntoPlace(desk, temp, to, conflict))
      if (moved.outcome === 'done') files.space.add(size)
      return moved
    } finally {
      await rm(temp, { recursive: true, force: true })
    }
  })
}

/** Deletes one thing into the trash. */
export async function trashItem(
  { files, trash, checkAgain }: Desk,
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

/** Brings one thing back from the trash to where it was. */
export async function restoreItem(desk: Desk, id: string, conflict: Conflict): Promise<Moved> {
  const { path, at } = await desk.trash.find(id)
  return refusing(path, async () => {
    const moved = await moveIntoPlace(desk, at, path, conflict)
    if (moved.outcome === 'done') await desk.trash.release(id)
    return moved
  })
}

/** Where a path would be, as far as its folders are there; null where they are not. */
function locatedOrNull({ files }: Desk, path: string): Located | null {
  try {
    return files.locate(path)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'files.not-found') return null
    throw error
  }
}

function isSamePlace(desk: Desk, from: Located, to: string): boolean {
  using located = locatedOrNull(desk, to)
  return located?.path === from.path
}

/** A folder goes neither into itself nor into anything in it, also not by way of a link. */
function refuseIntoItself(desk: Desk, from: Located, to: string): void {
  for (let path = to; path !== ''; path = splitLast(path).folder) {
    using located = locatedOrNull(desk, path)
    if (located?.path.startsWith(`${from.path}/`)) throw intoItself(from.path)
  }
}
