import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** What Electron wrote of a program of ours that crashed. */
export interface CrashDump {
  /** Its name, without the folder. */
  name: string
  /** When it was written, in milliseconds since 1970. */
  at: number
  bytes: number
  path: string
}

/** More, or older ones, are deleted: each is a picture of the memory of a program. */
export const DUMPS_MOST = 10
export const DUMPS_DAYS = 30
const DAY_MS = 24 * 60 * 60_000
/** Crashpad writes into folders of one level, by how far a dump is. */
const DEEPEST = 2
/** So many entries of a folder are looked at. */
const ENTRIES_MOST = 1000

/** Crash dumps in a folder, newest first. Without the folder there are none. */
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

/** Deletes crash dumps that are too many or too old, with what lies beside them. Never rejects. */
export async function sweepCrashDumps(folder: string, now: number): Promise<void> {
  const dumps = await crashDumps(folder)
  const old = dumps.filter(({ at }, index) => index >= DUMPS_MOST || now - at > DUMPS_DAYS * DAY_MS)
  for (const { path } of old)
    for (const one of [path, path.replace(/\.dmp$/, '.meta')])
      await rm(one, { force: true }).catch(() => undefined)
}

/** Whether a name is one that Crashpad gives; anything else could say something. */
export const isDumpName = (name: string): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.dmp$/i.test(name)
