import { say } from '../../contract/messages/say.ts'
import { problem } from '../base/problem.ts'
import type { BackgroundUnit } from '../local/background/background-unit.ts'

/** As in `autostart.ts`: the sentences say what to do. */
const here = { serviceCode: 'computer.background' }

/**
 * Has the system know the background service, or no longer. Neither starts nor stops one: what runs keeps running until
 * the panel quits. Throws a problem where the system does not take it.
 * @param unit null where the panel is not installed
 */
export async function changeKeeping(unit: BackgroundUnit | null, on: boolean): Promise<void> {
  if (!unit) throw problem('unavailable', say('desktop.keep-not-installed'), here)
  if (on)
    await unit.prepare().catch(() => {
      throw problem('conflict', say('desktop.keep-not-on'), here)
    })
  // What is left of it starts nothing by itself.
  else await unit.remove().catch(() => undefined)
}
