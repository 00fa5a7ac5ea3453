import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

export interface CrashDump {
  name: string
  at: number
  bytes: number
  path: string
}

/** Each is an image of a program's memory, so delete the excess. */
export const DUMPS_MOST = 10
export const DUMPS_DAYS = 30
const DAY_MS = 24 * 60 * 60_000
/** Crashpad uses one level of subfolders. */
const DEEPEST = 2
const ENTRIES_MOST = 1000

export async function crashDumps(folder: string, depth = 1): Promise<CrashDump[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found = await Promise.all(
    entries.slice(0, ENTRIES_MOST).map(async (entry): Promise<CrashDump[]> => {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && depth < DEEPEST) return crashDumps(path, depth + 1)
      if (!entry.isFile() || !entry.name.endsWith('.dmp')) return []
      const about = await lstat(path).catch(() => null)
      return about ? [{ name: entry.name, at: about.mtimeMs, bytes: about.size, path }] : []
    }),
  )
  return found.flat().sort((a, b) => b.at - a.at)
}

export async function sweepCrashDumps(folder: string, now: number): Promise<void> {
  const dumps = await crashDumps(folder)
  const old = dumps.filter(({ at }, index) => index >= DUMPS_MOST || now - at > DUMPS_DAYS * DAY_MS)
  for (const { path } of old)
    for (const one of [path, path.replace(/\.dmp$/, '.meta')])
      await rm(one, { force: true }).catch(() => undefined)
}

/** Only Crashpad's own names: other names could carry information. */
export const isDumpName = (name: string): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.dmp$/i.test(name)
