import { files as operations } from '../../../contract/areas/files.ts'
import { restoreItem, type Result, resultOf } from '../../files/item-actions.ts'
import { Yielder } from '../../base/yield.ts'
import { serve, type ServiceApp } from '../../http/serve.ts'
import type { ActionContextFactory } from './routes.ts'

export function mountFileTrash(app: ServiceApp, deskOf: ActionContextFactory): void {
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
