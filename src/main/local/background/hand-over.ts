import { setTimeout as sleep } from 'node:timers/promises'
import type { BackgroundUnit } from './background-unit.ts'
import { reachService } from './handshake.ts'
import { forgetFailure, readFailure, readEndpoint } from './endpoint-file.ts'

/** How often it is looked whether it runs, in ms. */
const LOOK_MS = 100
/** So long it is waited for, in ms: whoever waits looks at a window that says so. */
const LIMIT_MS = 30_000

/** Servers were stopped to run on in the background, and nobody can say that they do. */
class NotHandedOver extends Error {
  override name = 'NotHandedOver'
}

/** Whether this is among what kept a panel from closing in order. */
export function isNotHandedOver(error: unknown): boolean {
  if (error instanceof SuppressedError)
    return isNotHandedOver(error.error) || isNotHandedOver(error.suppressed)
  return error instanceof NotHandedOver
}

/**
 * Starts the background service, and waits until it answers: a panel that opened before would find none, and start the
 * service itself. Rejects where the system does not start it, where it says why it failed, and where it takes too long.
 */
export async function startInBackground(
  unit: BackgroundUnit,
  dataDir: string,
  limitMs = LIMIT_MS,
): Promise<void> {
  forgetFailure(dataDir)
  await unit.start().catch((cause: unknown) => {
    throw new NotHandedOver('The system did not start it.', { cause })
  })
  const until = performance.now() + limitMs
  // A file alone says nothing: one that was killed leaves its own.
  while (!(await answers(dataDir))) {
    const failure = await readFailure(dataDir)
    if (failure) throw new NotHandedOver(failure.message)
    if (performance.now() >= until) throw new NotHandedOver('It did not answer in time.')
    await sleep(LOOK_MS)
  }
}

async function answers(dataDir: string): Promise<boolean> {
  const meeting = await readEndpoint(dataDir)
  const channel = meeting && (await reachService(meeting))
  channel?.hangUp()
  return channel !== null
}
