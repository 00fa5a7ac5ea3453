import { setTimeout as sleep } from 'node:timers/promises'
import type { BackgroundUnit } from './system-unit.ts'
import { reachService } from './background-socket.ts'
import { forgetFailure, readFailure, readEndpoint } from './endpoint-file.ts'

const LOOK_MS = 100
const LIMIT_MS = 30_000

/** Servers were stopped to continue in the background, but it is unknown whether they run. */
class HandoverError extends Error {
  override name = 'HandoverError'
}

export function isNotHandedOver(error: unknown): boolean {
  if (error instanceof SuppressedError)
    return isNotHandedOver(error.error) || isNotHandedOver(error.suppressed)
  return error instanceof HandoverError
}

/** Waits until the service responds, or a panel opened earlier would start its own. */
export async function startInBackground(
  unit: BackgroundUnit,
  dataDir: string,
  limitMs = LIMIT_MS,
): Promise<void> {
  forgetFailure(dataDir)
  await unit.start().catch((cause: unknown) => {
    throw new HandoverError('The system did not start it.', { cause })
  })
  const until = performance.now() + limitMs
  // The file alone proves nothing: a killed service leaves it behind.
  while (!(await answers(dataDir))) {
    const failure = await readFailure(dataDir)
    if (failure) throw new HandoverError(failure.message)
    if (performance.now() >= until) throw new HandoverError('It did not answer in time.')
    await sleep(LOOK_MS)
  }
}

async function answers(dataDir: string): Promise<boolean> {
  const endpoint = await readEndpoint(dataDir)
  const channel = endpoint && (await reachService(endpoint))
  channel?.hangUp()
  return channel !== null
}
