import { randomUUID } from 'node:crypto'
import type { Change } from '../../extensions/folder/change.ts'
import { enabledPath } from '../../extensions/folder/jar-file.ts'
import type { FolderPath, Step } from '../../extensions/folder/step.ts'
import { entriesOf, requireDone, type RemoteFolder } from './remote-folder.ts'

/** Beside the server's own folders, so that jars move within the host: what comes, and what can come back. */
const OWN = '.wheelhouse'
export const STAGED = `${OWN}/new`
export const TAKEN_OUT = `${OWN}/removed`

/** Identifies a jar of a folder's list; it stays when the jar is disabled. */
export const markOf = (path: string, size: number, modifiedAt: string | null | undefined): string =>
  `${enabledPath(path).split('/').at(-1)!}/${size}/${modifiedAt ?? ''}`

export const newTrash = (): string => `${randomUUID()}.jar`

const pathOf = ({ folder, path }: FolderPath): string =>
  folder === 'server' ? path : `${folder === 'staged' ? STAGED : TAKEN_OUT}/${path}`

/**
 * Does all steps or none. Throws AggregateError if what failed couldn't be reverted either; else what the host refuses.
 */
export async function doSteps(folder: RemoteFolder, steps: readonly Step[]): Promise<void> {
  const isNeeded = steps.some(({ to }) => to.folder === 'trash')
  if (isNeeded) await makeFolder(folder, TAKEN_OUT)
  const done: Step[] = []
  try {
    for (const step of steps) {
      requireDone(await folder.move(pathOf(step.from), pathOf(step.to)))
      done.push(step)
    }
  } catch (error) {
    try {
      await undoSteps(folder, steps)
    } catch (failed) {
      throw new AggregateError([error, failed], 'a change could not be taken back', { cause: failed })
    }
    throw error
  }
}

/** Reverts steps, whether done or not: by what is where. */
export async function undoSteps(folder: RemoteFolder, steps: readonly Step[]): Promise<void> {
  const there = new Set<string>()
  const folders = new Set(steps.flatMap(({ from, to }) => [folderOf(pathOf(from)), folderOf(pathOf(to))]))
  for (const path of folders)
    for (const { name } of await entriesOf(folder, path)) there.add(`${path}/${name}`)
  for (const { from, to } of steps.toReversed()) {
    const [before, after] = [pathOf(from), pathOf(to)]
    if (!there.has(after) || there.has(before)) continue
    requireDone(await folder.move(after, before))
    there.delete(after)
    there.add(before)
  }
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

export async function makeFolder(folder: RemoteFolder, path: string): Promise<void> {
  await folder.makeFolder(OWN)
  await folder.makeFolder(path)
}

/** Files that only this change kept. Failing leaves them, which costs room alone. */
export async function dropKept(folder: RemoteFolder, gone: Change, needed: Change): Promise<void> {
  const wanted = new Set(needed.steps.flatMap(({ from, to }) => [pathOf(from), pathOf(to)]))
  const kept = gone.steps.flatMap(({ to }) => (to.folder === 'trash' ? pathOf(to) : []))
  for (const path of kept) if (!wanted.has(path)) await folder.remove(path)
}
