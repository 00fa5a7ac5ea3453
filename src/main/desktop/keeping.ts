import { say } from '../../contract/messages/say.ts'
import { problem } from '../base/problem.ts'
import type { BackgroundUnit } from '../local/background/background-unit.ts'

const here = { serviceCode: 'computer.background' }

/**
 * Registers or removes the background service without starting or stopping it. Throws a problem if the system refuses.
 */
export async function changeKeeping(unit: BackgroundUnit | null, on: boolean): Promise<void> {
  if (!unit) throw problem('unavailable', say('desktop.keep-not-installed'), here)
  if (on)
    await unit.prepare().catch(() => {
      throw problem('conflict', say('desktop.keep-not-on'), here)
    })
  // Leftovers start nothing.
  else await unit.remove().catch(() => undefined)
}
