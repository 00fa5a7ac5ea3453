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
  notes: z.string().max(20_000),
  /** Not tried if servers keep running or the system ends the panel; macOS still installs then. */
  tried: z.boolean(),
  why: z.string().max(2000).nullable(),
})
/** An installation begun on exit, for the next start to report on. */
export type BegunUpdate = z.infer<typeof Begun>

const fileOf = (dataDir: string) => join(dataDir, 'update-begun.json')

/** Never throws: a missing note must not block the update. */
export function noteBegunUpdate(dataDir: string, begun: BegunUpdate): void {
  try {
    writeDataFile(fileOf(dataDir), JSON.stringify(begun))
  } catch {
    // Then the outcome is not reported.
  }
}

const forget = (dataDir: string): void => {
  try {
    rmSync(fileOf(dataDir), { recursive: true, force: true })
  } catch {
    // It is reported again.
  }
}

interface Told {
  dataDir: string
  version: string
  notes: StartupNotices
  log: Log
}

/** Reports success once, failure at every start until read. Never rejects. */
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
