import { z } from 'zod'
import { Command } from '../areas/console.ts'
import { KeptPart } from '../areas/servers.ts'
import { SecondFactorCode } from '../areas/second-factor.ts'
import { holdsControls } from '../messages/one-line.ts'
import { call, connection, server } from './call.ts'
import type { Problem } from './problem.ts'
import type { Countdown, Sample, StatusMark } from './values.ts'

const ServerId = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((id) => !holdsControls(id))

const ShortText = z.string().max(300)

export const serverCalls = {
  /** If the service offers no list. Problem `not-found`: the service doesn't know it; `unseen` adds it anyway. */
  'servers.add': call<void>().of(connection.extend({ serverId: ServerId, unseen: z.boolean().optional() })),
  'servers.forget': call<void>().of(server),
  /** `code`: the second factor, if the service asked for it. */
  'servers.remove': call<void>().of(
    server.extend({ confirm: z.string().max(500), code: SecondFactorCode.optional() }),
  ),
  'servers.save-crash-log': call<{ path: string }>().of(server),
  /** Saves a web page listing what players need for the modpack. `words` are its texts. */
  'servers.save-players-list': call<{ path: string }>().of(
    server.extend({
      words: z.object({ title: ShortText, text: ShortText, optional: ShortText, minecraft: ShortText }),
    }),
  ),
  /** Copies the server, then creates a fresh world; see the status for progress. `code` as for `servers.remove`. */
  'servers.reset': call<void>().of(
    server.extend({ keep: z.array(KeptPart).max(10), code: SecondFactorCode.optional() }),
  ),
  /** Readings and status changes of the last hour, oldest first. */
  'servers.samples': call<{ samples: Sample[]; marks: StatusMark[]; problem: Problem | null }>().of(server),

  'servers.countdowns': call<Countdown[]>().of(z.undefined()),
  /** Warns players in the game's chat for a minute, then acts; at once when everybody has left. */
  'servers.begin-countdown': call<void>().of(
    server.extend({ action: z.enum(['stop', 'restart']), language: z.enum(['en', 'de']) }),
  ),
  'servers.cancel-countdown': call<void>().of(server),

  'console.command': call<{ lineId: string | null }>().of(server.extend({ command: Command })),
}
