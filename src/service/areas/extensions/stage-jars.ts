import { randomUUID } from 'node:crypto'
import { constants, lstatSync } from 'node:fs'
import { copyFile, lstat, open, rm } from 'node:fs/promises'
import { markOf } from '../../changes/steps.ts'
import { asRefusal, notFile } from '../../files/names/refusals.ts'
import type { DiskPath } from '../../files/names/raw-names.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import type { ReadyJar } from '../../../extensions/installed/ready-jars.ts'
import * as refusals from '../../../extensions/folder/refusals.ts'
import type { ServerExtensions } from './server-extensions.ts'
import type { Workspace } from './folder/workspace.ts'

type StagedJar = Pick<ReadyJar, 'staged' | 'mark' | 'size'>

export async function stageCopy(work: Workspace, from: DiskPath): Promise<StagedJar> {
  const staged = `${randomUUID()}.jar`
  work.preparing.add(staged)
  const at = work.staged(staged)
  try {
    await copyFile(from, at, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    await using handle = await open(at, 'r+')
    await handle.sync()
  } catch (error) {
    await rm(at, { force: true })
    throw error
  }
  const stat = await lstat(at)
  return { staged, mark: markOf(stat), size: stat.size }
}

/**
 * Stages copies of uploaded jars and reads them; the originals stay. Throws 422 `extensions.unreadable`, and file
 * refusals.
 */
export async function stageSent(
  extensions: ServerExtensions,
  files: ServerFiles,
  from: ServerFiles,
  names: readonly string[],
  signal: AbortSignal,
): Promise<ReadyJar[]> {
  const ready: ReadyJar[] = []
  let bytes = 0
  for (const name of names) {
    signal.throwIfAborted()
    const staged = await stageOne(extensions.work, from, name, (size) => files.requireSpace((bytes += size)))
    const read = await extensions.readStaged(staged.staged)
    if (!read?.facts) throw refusals.unreadable(name, read?.why)
    extensions.know(staged.mark, read)
    const { facts } = read
    const fileName = name.replace(/\.jar$/i, '')
    ready.push({
      ...staged,
      facts,
      fileName,
      name: fileName,
      version: null,
      extensionId: null,
      project: null,
    })
  }
  return ready
}

/** Requires free space. Throws file refusals. */
async function stageOne(
  work: Workspace,
  from: ServerFiles,
  name: string,
  makeRoom: (bytes: number) => Promise<void>,
): Promise<StagedJar> {
  try {
    using located = from.locate(name)
    const stat = lstatSync(located.at)
    if (!stat.isFile()) throw notFile(name)
    await makeRoom(stat.size)
    return await stageCopy(work, located.at)
  } catch (error) {
    throw asRefusal(error, name)
  }
}
