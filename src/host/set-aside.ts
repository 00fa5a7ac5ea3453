import { accessSync, constants, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { lookAt } from './data-file.ts'
import { reasonOf } from './reason.ts'
import { StartProblem } from './start-problem.ts'

/** Folder in a data folder for what could not be read and was replaced. */
export const ASIDE = 'set aside'
/** How often one file is kept there, and bytes of all together; the newest of each file stays whatever its size. */
const KEPT = 3
const KEPT_BYTES = 512 * 1024 * 1024

/**
 * Moves what belongs together out of the way, into a folder of its own under `set aside`, and answers that folder. The
 * oldest ones go where there are too many. Throws StartProblem `data-not-readable` where it cannot be moved.
 * @param name what it is, such as `cache.db`
 * @param paths what to move, if it is there: what must not be left behind alone comes first
 */
export function setAside(dataDir: string, name: string, paths: readonly string[]): string {
  const all = path.join(dataDir, ASIDE)
  const at = `${new Date().toISOString().replaceAll(':', '-')} ${name}`
  const folder = path.join(all, at)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const one of paths)
      if (lstatSync(one, { throwIfNoEntry: false })) renameSync(one, path.join(folder, path.basename(one)))
  } catch (error) {
    throw new StartProblem(
      'data-not-readable',
      `${path.join(dataDir, name)} cannot be read, nor be set aside in ${all} (${reasonOf(error)}). Nothing was changed. ` +
        'Move it elsewhere yourself, or change the permissions, then start again.',
      { cause: error },
    )
  }
  prune(all)
  return folder
}

/**
 * Makes room for a file that is only ever added to, such as a log: what this user may not write to, or what is no file, is
 * set aside. Answers where it is now, or null.
 */
export function clearTheWay(dataDir: string, file: string): string | null {
  const found = lookAt(file)
  if (found === 'nothing') return null
  if (found !== 'something else')
    try {
      accessSync(file, constants.W_OK)
      return null
    } catch {
      // Another user's file, perhaps of a run as root.
    }
  return setAside(dataDir, path.basename(file), [file])
}

/** Removes everything that was set aside. */
export const forgetSetAside = (dataDir: string): void =>
  rmSync(path.join(dataDir, ASIDE), { recursive: true, force: true })

function prune(all: string): void {
  const seen = new Map<string, number>()
  let bytes = 0
  // Newest first: the names begin with the time.
  for (const at of readdirSync(all).sort().reverse()) {
    const name = at.slice(at.indexOf(' ') + 1)
    const place = (seen.get(name) ?? 0) + 1
    seen.set(name, place)
    try {
      bytes += sizeOf(path.join(all, at))
      if (place > KEPT || (place > 1 && bytes > KEPT_BYTES))
        rmSync(path.join(all, at), { recursive: true, force: true })
    } catch {
      // It may belong to another user. It wastes space, but must not stop a start.
    }
  }
}

function sizeOf(folder: string): number {
  let bytes = 0
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    bytes += lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0
  return bytes
}
