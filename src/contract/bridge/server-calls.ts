import { z } from 'zod'
import { Command } from '../areas/console.ts'
import { KeptPart } from '../areas/servers.ts'
import { SecondFactorCode } from '../areas/second-factor.ts'
import { holdsControls } from '../messages/one-line.ts'
import { call, connection, server, Id } from './call.ts'
import type { Problem } from './problem.ts'
import type { Countdown, Sample, StatusMark } from './values.ts'
import { type BackupTarget, backupTargets } from '../areas/backup-targets.ts'

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

  /** Of a database at a host; null if the account may not see it. Answered to the calling window, stored nowhere. */
  'servers.database-password': call<{ password: string | null }>().of(server.extend({ databaseId: Id })),

  'console.command': call<{ lineId: string | null }>().of(server.extend({ command: Command })),
}

/** The password of a place is answered only to the calling window and never stored. */
export const backupCalls = {
  'backups.add-target': call<{ target: BackupTarget; password: string }>().of(
    connection.extend(backupTargets.addTarget.body.shape),
  ),
  'backups.change-target': call<BackupTarget | null>().of(
    connection.extend({ targetId: Id, ...backupTargets.changeTarget.body.shape }),
  ),
  /** Saves a backup that its host keeps, in one file in the downloads folder. */
  'backups.save': call<{ transferId: string }>().of(server.extend({ backup: z.string().min(1).max(200) })),
  /** Writes the password of a place to a file in the downloads folder. */
  'backups.save-password': call<{ path: string }>().of(
    z.object({
      name: z.string().max(200),
      location: z.string().max(2000),
      password: z.string().min(1).max(1000),
    }),
  ),
}
