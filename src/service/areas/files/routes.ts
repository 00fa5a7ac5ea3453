import { files as operations } from '../../../contract/areas/files.ts'
import type { AgeingClock } from '../../base/clock.ts'
import type { AllServerFiles } from '../../files/all-server-files.ts'
import type { ActionContext } from '../../files/item-actions.ts'
import { sweepFiles } from '../../files/sweep.ts'
import { Trash, TRASH_DAYS } from '../../files/trash.ts'
import { BATCH } from '../../files/batch/batch.ts'
import { serve, type ServerInput, type ServiceApp } from '../../http/serve.ts'
import { mountFileContents } from './contents.ts'
import { mountFileItems } from './items.ts'
import { mountFileTrash } from './trash.ts'

export interface FileRoutes {
  all: AllServerFiles
  clock: AgeingClock
  serverIds: string[]
}

export type ActionContextFactory = (given: ServerInput) => ActionContext

export function mountFiles(app: ServiceApp, { all, clock, serverIds }: FileRoutes): void {
  sweepFiles(all, serverIds, clock, app.log)
  const deskOf: ActionContextFactory = ({ server, checkAgain }) => {
    const files = all.of(server.id)
    return { files, trash: new Trash(files, clock), log: app.log, checkAgain }
  }

  mountFileContents(app, deskOf)
  mountFileItems(app, deskOf)
  mountFileTrash(app, deskOf)
  serve(app, operations.limits, async (at) => {
    const { files, trash } = deskOf(at)
    return {
      maxFileBytes: files.maxFileBytes,
      quotaBytes: files.space.quotaBytes,
      usedBytes: await files.space.used(),
      freeBytes: await files.space.free(),
      resumable: true,
      batch: BATCH,
      trash: { maxBytes: trash.maxBytes, maxDays: TRASH_DAYS },
    }
  })
}
