import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readDataJson, writeDataFile } from '../../host/data-file.ts'
import type { InstalledUpdate } from '../../contract/bridge/update-values.ts'
import { say } from '../../contract/messages/say.ts'
import type { Log } from '../logging/log.ts'
import type { StartupNotices } from '../base/startup-notices.ts'

const Begun = z.object({
  from: z.string().max(100),
  to: z.string().max(100),
  /** What the release says of itself, as plain text. */
  notes: z.string().max(20_000),
  /** Whether it was tried. Where servers keep running, or the system ends the panel, only macOS installs, by itself. */
  tried: z.boolean(),
  /** Why it failed right away, for the log; null where nothing is known of that. */
  why: z.string().max(2000).nullable(),
})
/** An installation that a panel began as its last act: the next one sees what became of it. */
export type BegunUpdate = z.infer<typeof Begun>

const fileOf = (dataDir: string) => join(dataDir, 'update-begun.json')

/** StartupNotices what is about to be installed. Never throws: an update is not held up for want of a note. */
export function noteBegunUpdate(dataDir: string, begun: BegunUpdate): void {
  try {
    writeDataFile(fileOf(dataDir), JSON.stringify(begun))
  } catch {
    // Then nobody is told what became of it.
  }
}

const forget = (dataDir: string): void => {
  try {
    rmSync(fileOf(dataDir), { recursive: true, force: true })
  } catch {
    // It is told once more.
  }
}

/** What is needed to tell of the last installation. */
interface Told {
  dataDir: string
  /** This version. */
  version: string
  notes: StartupNotices
  log: Log
}

/**
 * Tells a person what became of the installation that the panel before this one began: once where it worked, and at every
 * start until it was read where it did not. Answers what was installed. Never rejects.
 */
export async function tellOfBegunUpdate({
  dataDir,
  version,
  notes,
  log,
}: Told): Promise<InstalledUpdate | null> {
  const begun = await readDataJson(fileOf(dataDir), (value) => Begun.parse(value))
  if (begun?.to === version) {
    forget(dataDir)
    notes.tell(say('update.done', { version }))
    return { version, notes: begun.notes }
  }
  if (begun?.tried && begun.from === version) {
    log.warn('an update was not installed', { to: begun.to, why: begun.why })
    notes.tell(say('update.not-done', { version: begun.to, current: version }), () => forget(dataDir))
  } else forget(dataDir)
  return null
}
