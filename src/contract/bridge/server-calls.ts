import { z } from 'zod'
import { Command } from '../areas/console.ts'
import { KeptPart } from '../areas/servers.ts'
import { SecondFactorCode } from '../areas/second-factor.ts'
import { holdsControls } from '../messages/one-line.ts'
import { call, connection, server } from './call.ts'
import type { Problem } from './problem.ts'
import type { Sample, StatusMark } from './values.ts'

/** An id as a person typed it. */
const ServerId = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((id) => !holdsControls(id))

/** Some words of the panel's own. */
const Word = z.string().max(300)

/** What the panel does with a server beyond asking the service. */
export const serverCalls = {
  /**
   * Adds a server by its id, where the service gives no list; kept on this computer. Problem `not-found`: the service
   * answers nothing about it; with `unseen` it is added all the same.
   */
  'servers.add': call<void>().of(connection.extend({ serverId: ServerId, unseen: z.boolean().optional() })),
  /** Takes a server that was added out of the list again. */
  'servers.forget': call<void>().of(server),
  /** `code`: of the second factor, where the service has asked for it. */
  'servers.remove': call<void>().of(
    server.extend({ confirm: z.string().max(500), code: SecondFactorCode.optional() }),
  ),
  /** The log of the run that crashed, as a file for strangers. */
  'servers.save-crash-log': call<{ path: string }>().of(server),
  /** What players need for the server's modpack, as a web page for them. `words` are what it says around that. */
  'servers.save-players-list': call<{ path: string }>().of(
    server.extend({
      words: z.object({ title: Word, text: Word, optional: Word, minecraft: Word }),
    }),
  ),
  /** Begins a fresh world after a copy; the status tells how far it is. `code`: as for `servers.remove`. */
  'servers.reset': call<void>().of(
    server.extend({ keep: z.array(KeptPart).max(10), code: SecondFactorCode.optional() }),
  ),
  /** Readings and status changes of the last hour, oldest first. */
  'servers.samples': call<{ samples: Sample[]; marks: StatusMark[]; problem: Problem | null }>().of(server),

  'console.command': call<{ lineId: string | null }>().of(server.extend({ command: Command })),
}
