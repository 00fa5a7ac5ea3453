import { accessSync, constants, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { lookAt } from './data-file.ts'
import { reasonOf } from './disk-errors.ts'
import { StartProblem } from './start-problem.ts'

export const ASIDE = 'set aside'
/** Copies per file, and bytes in total; the newest of each file always stays. */
const KEPT = 3
const KEPT_BYTES = 512 * 1024 * 1024

/**
 * Moves related files into a new folder under `set aside`, prunes old ones and returns that folder. Throws StartProblem
 * `data-not-readable` if they can't be moved.
 * @param name for example `cache.db`
 * @param paths existing ones are moved; first those that must not be left behind alone
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

/** Sets aside an append-only file, such as a log, that is no file or not writable. Returns the new folder, or null. */
export function clearTheWay(dataDir: string, file: string): string | null {
  const found = lookAt(file)
  if (found === 'nothing') return null
  if (found !== 'something else')
    try {
      accessSync(file, constants.W_OK)
      return null
    } catch {
      // Another user's file, perhaps from a run as root.
    }
  return setAside(dataDir, path.basename(file), [file])
}

export const forgetSetAside = (dataDir: string): void =>
  rmSync(path.join(dataDir, ASIDE), { recursive: true, force: true })

function prune(all: string): void {
  const seen = new Map<string, number>()
  let bytes = 0
  // Newest first: names begin with the time.
  for (const at of readdirSync(all).sort().reverse()) {
    const name = at.slice(at.indexOf(' ') + 1)
    const place = (seen.get(name) ?? 0) + 1
    seen.set(name, place)
    try {
      bytes += sizeOf(path.join(all, at))
      if (place > KEPT || (place > 1 && bytes > KEPT_BYTES))
        rmSync(path.join(all, at), { recursive: true, force: true })
    } catch {
      // Perhaps another user's. That wastes space but must not prevent a start.
    }
  }
}

function sizeOf(folder: string): number {
  let bytes = 0
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    bytes += lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0
  return bytes
}
