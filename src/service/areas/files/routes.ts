import { files as operations } from '../../../contract/areas/files.ts'
import type { AgingClock } from '../../base/clock.ts'
import { Yielder } from '../../../host/yield.ts'
import type { AllServerFiles } from '../../files/all-server-files.ts'
import { type ActionContext, restoreItem, type Result, resultOf } from '../../files/item-actions.ts'
import { sweepFiles } from '../../files/sweep.ts'
import { Trash, TRASH_DAYS } from '../../files/trash.ts'
import { BATCH } from '../../files/batch/batch.ts'
import { serve, type ServerInput, type ServiceApp } from '../../http/serve.ts'
import { mountFileContents } from './contents.ts'
import { mountFileItems } from './items.ts'

interface FileRoutes {
  all: AllServerFiles
  clock: AgingClock
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

function mountFileTrash(app: ServiceApp, deskOf: ActionContextFactory): void {
  serve(app, operations.trash, async (at) => ({
    items: await deskOf(at).trash.list(),
    nextCursor: null,
  }))

  serve(app, operations.restore, async ({ body, ...at }) => {
    const desk = deskOf(at)
    const results: Result[] = []
    const yielder = new Yielder()
    for (const id of body.ids) {
      await yielder.next()
      results.push(await resultOf(desk.log, id, () => restoreItem(desk, id, body.conflict ?? 'refuse')))
    }
    return { results, running: desk.files.running }
  })

  serve(app, operations.purge, ({ body, ...at }) => deskOf(at).trash.purge(body.ids, at.checkAgain))
}
