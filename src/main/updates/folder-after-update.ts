import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { defaultFolder } from '../../host/default-folder.ts'
import { lookAt, writeDataFile } from '../../host/data-file.ts'

/** Longest installation, in ms; older notes are ignored. */
const FRESH_MS = 30 * 60_000

const Kept = z.object({ dataDir: z.string().max(4096).refine(isAbsolute), at: z.number() })

const fileIn = (home: string) => join(home, 'after-update.json')

/** Installers of Windows and macOS restart without arguments, in the default folder. Never throws. */
export function keepFolderOverUpdate(dataDir: string, home = defaultFolder(), now = Date.now()): void {
  if (dataDir === home) return
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    writeDataFile(fileIn(home), JSON.stringify({ dataDir, at: now }))
  } catch {
    // The new version opens the default folder; this one is intact.
  }
}

/** Reads and clears the note. Never throws. */
export function takeFolderAfterUpdate(home = defaultFolder(), now = Date.now()): string | null {
  const noted = notedIn(fileIn(home))
  forget(home)
  return noted && Math.abs(now - noted.at) < FRESH_MS ? noted.dataDir : null
}

/** They name the folder, so the note is cleared. Never throws. */
export function argumentsAgain(args: readonly string[], dataDir: string, home = defaultFolder()): string[] {
  forget(home)
  const isNamed = dataDir === home || args.some((arg) => /^--data(=|$)/.test(arg))
  return isNamed ? [...args] : [...args, `--data=${dataDir}`]
}

function forget(home: string): void {
  try {
    rmSync(fileIn(home), { recursive: true, force: true })
  } catch {
    // In use; it soon expires.
  }
}

function notedIn(file: string): z.infer<typeof Kept> | null {
  try {
    return lookAt(file) === 'file' ? Kept.parse(JSON.parse(readFileSync(file, 'utf8'))) : null
  } catch {
    return null
  }
}
