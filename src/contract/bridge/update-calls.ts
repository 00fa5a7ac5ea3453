import { z } from 'zod'
import { call } from './call.ts'
import { type InstallAnswer, updateChannels, type Updates } from './update-values.ts'

/** The panel's own updates. */
export const updateCalls = {
  'updates.read': call<Updates>().of(z.undefined()),
  /** Asks for a newer version now. Answers how it stands afterwards. */
  'updates.check': call<Updates>().of(z.undefined()),
  /** Downloads what was found; the event `updates` tells how far it is. */
  'updates.download': call<Updates>().of(z.undefined()),
  'updates.cancel-download': call<Updates>().of(z.undefined()),
  'updates.change': call<Updates>().of(
    z.object({ channel: z.enum(updateChannels).optional(), automatic: z.boolean().optional() }),
  ),
  /**
   * Closes the panel, installs, and opens it again. `stop` agrees to what runs being stopped; without it nothing is done
   * while something runs, and what runs is answered.
   */
  'updates.install': call<InstallAnswer>().of(z.object({ stop: z.boolean() })),
  /** Installs as soon as nothing runs, or no longer waits for that. */
  'updates.install-when-idle': call<Updates>().of(z.object({ wait: z.boolean() })),
}
