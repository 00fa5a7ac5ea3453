import { lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { isFolder, notFolder } from '../../files/names/refusals.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import type { InstalledRecords } from '../installed.ts'
import { USER_ARGS } from './java-program.ts'

/** Unlike `tmp-`, not swept at start: decided installations continue from here. */
const PREFIX = 'install-'
/** Edited by people, so never overwritten. */
export const THEIRS = new Set([USER_ARGS])

export async function newStaged(files: ServerFiles): Promise<{ staged: string; folder: string }> {
  const staged = `${PREFIX}${randomUUID()}`
  const folder = path.join(files.staging, staged)
  await mkdir(folder, { mode: 0o700 })
  return { staged, folder }
}

/** Failures are ignored. */
export async function sweepStaged(files: ServerFiles, records: InstalledRecords): Promise<void> {
  const { serverId, staging } = files
  const inUse = [records.read(serverId)?.staged, records.next(serverId)?.staged]
  for (const name of await readdir(staging))
    if (name.startsWith(PREFIX) && !inUse.includes(name))
      await removeTree(path.join(staging, name)).catch(() => undefined)
}

/** Removes undecided installations of a killed process. Call before preparing any. */
export function sweepUndecided(files: ServerFiles, records: InstalledRecords): Promise<unknown> {
  const decided = records.read(files.serverId)?.staged
  const left = readdirSync(files.staging).filter((name) => name.startsWith(PREFIX) && name !== decided)
  return Promise.all(left.map((name) => removeTree(path.join(files.staging, name))))
}

/** Throws Refusal 409 if something of another kind is in the way. */
export function requireRoomFor(folder: string, root: string, within = ''): void {
  for (const entry of readdirSync(path.join(folder, within), { withFileTypes: true })) {
    const name = path.posix.join(within, entry.name)
    const there = lstatSync(path.join(root, name), { throwIfNoEntry: false })
    if (!there) continue
    if (!entry.isDirectory() && there.isDirectory()) throw isFolder(name)
    if (entry.isDirectory() && !there.isDirectory()) throw notFolder(name)
    if (entry.isDirectory()) requireRoomFor(folder, root, name)
  }
}

/** Resumable: if it throws a system error, call it again. */
export function placeStaged(files: ServerFiles, records: InstalledRecords): void {
  const record = records.read(files.serverId)
  if (!record?.staged) return
  const { staged, ...placed } = record
  const folder = path.join(files.staging, staged)
  if (lstatSync(folder, { throwIfNoEntry: false })) moveInto(folder, files.root)
  records.write(files.serverId, placed)
  files.space.forget()
}

function moveInto(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    const there = lstatSync(target, { throwIfNoEntry: false })
    if (entry.isDirectory() && there) {
      // A link would redirect the files.
      if (!there.isDirectory()) throw notFolder(entry.name)
      moveInto(source, target)
    } else if (there && THEIRS.has(entry.name)) unlinkSync(source)
    else renameSync(source, target)
  }
  rmdirSync(from)
}
