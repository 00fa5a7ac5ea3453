import { chmodSync, lchownSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from './service.fixture.ts'

/** Rights of files mean nothing to root, whom tests may run as: then this user is nobody. */
export const isRoot = process.getuid?.() === 0
/** What a program is started with, to run as a user with no special rights. */
export const ordinaryUser = isRoot ? { uid: 65534, gid: 65534 } : {}

/** A temporary folder that the ordinary user can reach. */
export async function reachableFolder(): Promise<string> {
  const folder = await temporaryFolder()
  if (!isRoot) return folder
  chmodSync(folder, 0o711)
  // Folders of runs may stand in one another.
  for (let run = path.dirname(folder); path.basename(run).startsWith('wh-'); run = path.dirname(run))
    chmodSync(run, 0o711)
  return folder
}

/** Gives something to the ordinary user. */
export function giveOne(at: string | Buffer): void {
  if (isRoot) lchownSync(at, 65534, 65534)
}

/** Gives a tree to the ordinary user. */
export function giveAway(folder: string): void {
  for (const one of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    giveOne(path.join(folder, one))
}
