import { z } from 'zod'
import { type BackupTarget, backupTargets } from '../areas/backup-targets.ts'
import { call, connection, Id } from './call.ts'

/** Calls that carry secrets; the password is answered only to the calling window and never stored. */
export const backupTargetCalls = {
  'backups.add-target': call<{ target: BackupTarget; password: string }>().of(
    connection.extend(backupTargets.addTarget.body.shape),
  ),
  'backups.change-target': call<BackupTarget | null>().of(
    connection.extend({ targetId: Id, ...backupTargets.changeTarget.body.shape }),
  ),
  /** Writes the password of a place to a file in the downloads folder. */
  'backups.save-password': call<{ path: string }>().of(
    z.object({
      name: z.string().max(200),
      location: z.string().max(2000),
      password: z.string().min(1).max(1000),
    }),
  ),
}
