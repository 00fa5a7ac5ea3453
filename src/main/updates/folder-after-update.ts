import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { defaultFolder } from '../../host/default-folder.ts'
import { lookAt, writeDataFile } from '../../host/data-file.ts'

/** So long an installation may take, in ms: later it is not what started this program. */
const FRESH_MS = 30 * 60_000

const Kept = z.object({ dataDir: z.string().max(4096).refine(isAbsolute), at: z.number() })

const fileIn = (home: string) => join(home, 'after-update.json')

/**
 * Notes the folder of a panel whose installer starts the new version without its arguments, as those of Windows and macOS
 * do: without it the new version would open the default folder. Never throws.
 */
export function keepFolderOverUpdate(dataDir: string, home = defaultFolder(), now = Date.now()): void {
  if (dataDir === home) return
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    writeDataFile(fileIn(home), JSON.stringify({ dataDir, at: now }))
  } catch {
    // The new version opens the default folder; the other one is as it was.
  }
}

/** The folder that was noted for the start after an update; null where there is none. It is answered once. Never throws. */
export function takeFolderAfterUpdate(home = defaultFolder(), now = Date.now()): string | null {
  const noted = notedIn(fileIn(home))
  forget(home)
  return noted && Math.abs(now - noted.at) < FRESH_MS ? noted.dataDir : null
}

/**
 * The arguments this version starts again with, where the update did not take over: they name the folder themselves, and the
 * note is gone, so that no later start follows it. Never throws.
 */
export function argumentsAgain(args: readonly string[], dataDir: string, home = defaultFolder()): string[] {
  forget(home)
  const isNamed = dataDir === home || args.some((arg) => /^--data(=|$)/.test(arg))
  return isNamed ? [...args] : [...args, `--data=${dataDir}`]
}

function forget(home: string): void {
  try {
    rmSync(fileIn(home), { recursive: true, force: true })
  } catch {
    // Somebody else holds it; soon it is too old to be followed.
  }
}

function notedIn(file: string): z.infer<typeof Kept> | null {
  try {
    return lookAt(file) === 'file' ? Kept.parse(JSON.parse(readFileSync(file, 'utf8'))) : null
  } catch {
    return null
  }
}
