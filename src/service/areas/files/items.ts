import { files as operations } from '../../../contract/areas/files.ts'
import { copyItem, errorOf, moveItem, type Result, resultOf, trashItem } from '../../files/item-actions.ts'
import { canceled } from '../../files/names/refusals.ts'
import { Yielder } from '../../../host/yield.ts'
import { serve, type ServiceApp } from '../../http/serve.ts'
import type { ActionContextFactory } from './routes.ts'

export function mountFileItems(app: ServiceApp, deskOf: ActionContextFactory): void {
  serve(app, operations.move, async ({ body, ...at }) => {
    const desk = deskOf(at)
    const results: Result[] = []
    const yielder = new Yielder()
    for (const { from, to } of body.items) {
      await yielder.next()
      results.push(await resultOf(desk.log, from, () => moveItem(desk, from, to, body.conflict ?? 'refuse')))
    }
    return { results, running: desk.files.running }
  })

  serve(app, operations.copy, async ({ body, signal, ...at }) => {
    const desk = deskOf(at)
    const results: Result[] = []
    const yielder = new Yielder()
    for (const { from, to } of body.items) {
      await yielder.next()
      if (signal.aborted) throw canceled()
      const copy = () => copyItem(desk, from, to, body.conflict ?? 'refuse', signal)
      results.push(await resultOf(desk.log, from, copy))
    }
    return { results, running: desk.files.running }
  })

  serve(app, operations.remove, async ({ body, ...at }) => {
    const desk = deskOf(at)
    const call = desk.trash.newCall()
    const results: Result[] = []
    const trash = []
    const yielder = new Yielder()
    for (const [number, path] of body.paths.entries()) {
      await yielder.next()
      try {
        trash.push(await trashItem(desk, path, call, number))
        results.push({ path, outcome: 'done' })
      } catch (error) {
        results.push({ path, outcome: 'failed', error: errorOf(desk.log, error, path) })
      }
    }
    desk.trash.sweep().catch((error: unknown) => desk.log.warn({ err: error }, 'the trash was not swept'))
    return { results, running: desk.files.running, trash }
  })
}
