import { setTimeout as sleep } from 'node:timers/promises'
import type { BackgroundUnit } from './background-unit.ts'
import { forgetFailure, readFailure, readMeeting } from './meeting-file.ts'

/** How often it is looked whether it runs, in ms. */
const LOOK_MS = 100
/** So long it is waited for, in ms: the program that waits has closed its windows already. */
const LIMIT_MS = 30_000

/**
 * Starts the background service, and waits until it can be found, has failed or takes too long: a panel that opened before
 * would find none, and start the service itself. Rejects where the system does not start it.
 */
export async function startInBackground(unit: BackgroundUnit, dataDir: string): Promise<void> {
  forgetFailure(dataDir)
  await unit.start()
  for (let waited = 0; waited < LIMIT_MS; waited += LOOK_MS) {
    if ((await readMeeting(dataDir)) || (await readFailure(dataDir))) return
    await sleep(LOOK_MS)
  }
}
