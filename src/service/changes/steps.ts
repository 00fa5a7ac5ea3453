import { lstatSync, rmSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import type { FolderPath, Step } from '../../extensions/folder/step.ts'
import { refusal, Refusal } from '../../host/refusal.ts'
import { diskPath, type DiskPath } from '../files/names/raw-names.ts'
import { exists } from '../files/names/refusals.ts'
import { moveFolder } from '../files/safe-fs/move-folder.ts'
import type { FileLocation, LocateOptions, ServerFiles } from '../files/server-files.ts'
import type { Trash } from '../files/trash.ts'
import { putNew } from '../files/write/commit-file.ts'

export interface StepContext {
  files: ServerFiles
  /** Needed only by steps that use the folder. */
  copies?: string
  trash?: Pick<Trash, 'put'>
}

export const stagedIn = ({ staging }: Pick<ServerFiles, 'staging'>): string =>
  path.join(staging, 'extensions')

/** Identifies a file wherever it is moved. Folders change while they stay the same. */
export function markAt(at: DiskPath): string | null {
  const stat = lstatSync(at, { throwIfNoEntry: false })
  if (!stat) return null
  return stat.isDirectory() ? String(stat.ino) : markOf(stat)
}

export const markOf = ({ ino, size, mtimeMs }: { ino: number; size: number; mtimeMs: number }): string =>
  `${ino}.${size}.${Math.round(mtimeMs * 1000)}`

/** Empty if there is nothing to move. */
export function stepFrom(context: StepContext, from: FolderPath, to: FolderPath): Step[] {
  using source = locate(context, from)
  const mark = source && markAt(source.at)
  return source && mark !== null ? [{ from, to, mark, size: lstatSync(source.at).size }] : []
}

/**
 * Does all steps and then `commit`, or nothing. Synchronous; resumes after the process was killed at any point. Throws
 * AggregateError if what failed could not be reverted either; else file refusals, such as 409 `files.exists`.
 */
export function doSteps(
  context: StepContext,
  steps: readonly Step[],
  commit: () => void = () => undefined,
): void {
  try {
    for (const { from, to, mark } of steps) move(context, from, to, mark)
    commit()
  } catch (error) {
    try {
      undoSteps(context, steps)
    } catch (failed) {
      throw new AggregateError([error, failed], 'a change could not be taken back', { cause: failed })
    }
    throw error
  }
}

/** Reverts steps, whether done, half done or not done. */
export function undoSteps(context: StepContext, steps: readonly Step[]): void {
  for (const { from, to, mark } of steps.toReversed()) {
    const there = markOfPath(context, to)
    // Another file of that name may have gone to the trash.
    const wanted = to.folder === 'trash' ? there : mark
    if (wanted !== null && there === wanted) move(context, to, from, wanted)
  }
}

/** Without a mark, whatever is there already counts as moved. */
export function move(context: StepContext, from: FolderPath, to: FolderPath, mark: string | null = null) {
  using source = locate(context, from)
  const there = source && markAt(source.at)
  if (!source || there === null) {
    if (from.folder !== 'trash' || markOfPath(context, to) === mark) return
    throw refusal(409, 'extensions.changed-since')
  }
  using target = locate(context, to, { make: true, returns: from.folder !== 'staged' })!
  const taken = markAt(target.at)
  if (taken === null) {
    if (to.folder === 'trash') context.trash!.put(source, to.path)
    else if (!lstatSync(source.at).isFile()) moveFolder(source.at, target.at)
    else if (!putNew(source.at, target.at)) throw exists(to.path)
  } else if (taken !== mark) {
    if (mark === null || to.folder !== 'server') return
    throw exists(to.path)
  } else if (taken === there) unlinkSync(source.at) // Killed between link and unlink.
  if (from.folder === 'trash') rmSync(path.dirname(String(source.at)), { recursive: true, force: true })
}

function markOfPath(context: StepContext, of: FolderPath): string | null {
  using located = locate(context, of)
  return located && markAt(located.at)
}

type StepEnd = Pick<FileLocation, 'at' | 'path'> & Disposable

/** Null if the folder above it in the server's is missing. `make`: creates that instead. */
function locate(
  context: StepContext,
  of: FolderPath,
  options: LocateOptions = { returns: true },
): StepEnd | null {
  const { folder, path: at } = of
  try {
    if (folder === 'server') return context.files.locate(at, options)
    return { at: diskOf(context, of), path: at, [Symbol.dispose]: () => undefined }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'files.not-found') return null
    throw error
  }
}

function diskOf({ files, copies }: StepContext, { folder, path: at }: FolderPath): DiskPath {
  if (folder === 'trash') return path.join(files.trash, at, 'item')
  return diskPath(folder === 'staged' ? stagedIn(files) : copies!, at)
}
