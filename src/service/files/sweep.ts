import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { AgingClock } from '../base/clock.ts'
import type { AllServerFiles } from './all-server-files.ts'
import { removeTree } from './safe-fs/remove-tree.ts'
import { TEMP, type ServerFiles } from './server-files.ts'
import { Trash } from './trash.ts'

/** Deletes leftovers of an earlier run and expired trash. Lists them synchronously, so new files are safe. */
export function sweepFiles(all: AllServerFiles, serverIds: string[], clock: AgingClock, log: Logger): void {
  for (const serverId of serverIds) {
    try {
      const files = all.of(serverId)
      const left = readdirSync(files.staging).filter((name) => name.startsWith(TEMP))
      void sweep(files, left, clock, log)
    } catch (error) {
      log.warn({ err: error, serverId }, 'the files of a server cannot be swept')
    }
  }
}

/** One failure doesn't stop the rest. */
async function sweep(files: ServerFiles, left: string[], clock: AgingClock, log: Logger): Promise<void> {
  const { serverId } = files
  const notSwept = (error: unknown) => log.warn({ err: error, serverId }, 'not swept')
  for (const name of left) await removeTree(join(files.staging, name)).catch(notSwept)
  await new Trash(files, clock).sweep().catch(notSwept)
}
