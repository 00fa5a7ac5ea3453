import { adoptedRefusals } from './refusals/adopted.ts'
import { backupTargetRefusals } from './refusals/backup-targets.ts'
import { backupRefusals } from './refusals/backups.ts'
import { consoleRefusals } from './refusals/console.ts'
import { crashRefusals } from './refusals/crash.ts'
import { engineRefusals } from './refusals/engine.ts'
import { extensionRefusals } from './refusals/extensions.ts'
import { fileRefusals } from './refusals/files.ts'
import { hostRefusals } from './refusals/hosts.ts'
import { inputRefusals } from './refusals/input.ts'
import { modpackRefusals } from './refusals/modpacks.ts'
import { nodeRefusals } from './refusals/nodes.ts'
import { peopleRefusals } from './refusals/people.ts'
import { resticRefusals } from './refusals/restic.ts'
import { scheduleRefusals } from './refusals/schedules.ts'
import { serverRefusals } from './refusals/server.ts'
import { sftpRefusals } from './refusals/sftp.ts'
import { softwareRefusals } from './refusals/software.ts'

/** Refusals of the built-in service; English in `src/contract/messages/refusals`. */
export const refusals = {
  ...softwareRefusals,
  ...extensionRefusals,
  ...modpackRefusals,
  ...serverRefusals,
  ...fileRefusals,
  ...peopleRefusals,
  ...backupRefusals,
  ...backupTargetRefusals,
  ...scheduleRefusals,
  ...inputRefusals,
  ...consoleRefusals,
  ...crashRefusals,
  ...engineRefusals,
  ...hostRefusals,
  ...nodeRefusals,
  ...adoptedRefusals,
  ...resticRefusals,
  ...sftpRefusals,
}
