import { lstatSync, renameSync, rmSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import type { DiskPath } from '../../../files/names/raw-names.ts'
import type { ServerFiles } from '../../../files/server-files.ts'
import type { Trash } from '../../../files/trash.ts'
import { moveIntoPlace } from '../../../files/write/move-into-place.ts'
import { Refusal } from '../../../base/refusal.ts'
import { changedSince } from './refusals.ts'
import { markOf, type Step, type Workspace } from './workspace.ts'

export interface StepContext {
  files: ServerFiles
  trash: Trash
  work: Pick<Workspace, 'staged'>
}

/**
 * Does one step. Idempotent: resumes after the process was killed at any point. Throws file refusals, such as 409
 * `files.exists`.
 */
export async function doStep(bench: StepContext, step: Step): Promise<void> {
  const { files, trash, work } = bench
  switch (step.kind) {
    case 'in':
      return place(bench, work.staged(step.staged), step.path, step.mark)
    case 'back':
      {
        using there = locate(files, step.path)
        // Either a killed process did it already, or the file was erased from the trash meanwhile.
        const isDone = there !== null && markAt(there.at) === step.mark
        if (!isDone && markAt(trashed(files, step.trash)) === null) throw changedSince()
      }
      return place(bench, trashed(files, step.trash), step.path, step.mark)
    case 'move': {
      using from = locate(files, step.from)
      if (from) await place(bench, from.at, step.to, step.mark)
      return
    }
    case 'out': {
      if (markAt(trashed(files, step.trash)) !== null) return
      // An interrupted step may have left the folder without the file.
      rmSync(path.dirname(trashed(files, step.trash)), { recursive: true, force: true })
      using located = locate(files, step.path)
      if (!located || markAt(located.at) === null) return
      const [call = '', number = '0'] = step.trash.split('-')
      await trash.take(located, call, Number(number))
    }
  }
}

/** Reverts one step, whether done, half done or not done. */
export async function takeBack(bench: StepContext, step: Step): Promise<void> {
  const { files, work } = bench
  switch (step.kind) {
    case 'in':
      return fetchBack(files, step.path, work.staged(step.staged), step.mark)
    case 'back':
      return fetchBack(files, step.path, trashed(files, step.trash), step.mark)
    case 'move': {
      using to = locate(files, step.to)
      if (to && markAt(to.at) === step.mark) await place(bench, to.at, step.from, step.mark)
      return
    }
    case 'out': {
      const item = trashed(files, step.trash)
      if (markAt(item) === null) return
      await place(bench, item, step.path, step.mark)
      rmSync(path.dirname(item), { recursive: true, force: true })
    }
  }
}

export async function tidy({ files, trash }: StepContext, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (step.kind === 'back') await trash.release(step.trash)
    if (step.kind === 'in') files.space.add(step.size)
  }
}

async function place({ files, trash }: StepContext, from: DiskPath, to: string, mark: string): Promise<void> {
  const there = markAt(from)
  if (there === null) return
  {
    using located = locate(files, to)
    // Killed between link and unlink: remove the old name.
    if (located && markAt(located.at) === there && there === mark) return unlinkSync(from)
  }
  await moveIntoPlace({ files, trash, checkAgain: () => undefined }, from, to, 'refuse')
}

function fetchBack(files: ServerFiles, from: string, to: string, mark: string): void {
  using located = locate(files, from)
  if (!located || markAt(located.at) !== mark) return
  if (markAt(to) === mark) unlinkSync(located.at)
  else renameSync(located.at, to)
}

const trashed = ({ trash }: ServerFiles, id: string): string => path.join(trash, id, 'item')

export function markAt(at: DiskPath): string | null {
  const stat = lstatSync(at, { throwIfNoEntry: false })
  return stat ? markOf(stat) : null
}

function locate(files: ServerFiles, at: string) {
  try {
    return files.locate(at)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'files.not-found') return null
    throw error
  }
}
