import { z } from 'zod'
import { call } from './call.ts'
import { type InstallAnswer, updateChannels, type Updates } from './update-values.ts'

export const updateCalls = {
  'updates.read': call<Updates>().of(z.undefined()),
  'updates.check': call<Updates>().of(z.undefined()),
  'updates.download': call<Updates>().of(z.undefined()),
  'updates.cancel-download': call<Updates>().of(z.undefined()),
  'updates.change': call<Updates>().of(
    z.object({ channel: z.enum(updateChannels).optional(), automatic: z.boolean().optional() }),
  ),
  /** Closes the panel, installs and reopens it. Without `stop`, answers running work instead of interrupting it. */
  'updates.install': call<InstallAnswer>().of(z.object({ stop: z.boolean() })),
}
