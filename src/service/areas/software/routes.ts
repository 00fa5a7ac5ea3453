import { software } from '../../../contract/areas/software.ts'
import { Refusal } from '../../refusal.ts'
import type { Runtime } from '../../runtime/types.ts'
import { serve, type ServiceApp } from '../../serve.ts'

/** Mounts the catalog of what can be run here. */
export function mountSoftware(app: ServiceApp, runtime: Pick<Runtime, 'catalogue'>): void {
  serve(app, software.list, () => ({
    items: runtime.catalogue().map(({ id, name, description }) => ({ id, name, description })),
    nextCursor: null,
  }))

  serve(app, software.versions, ({ params }) => {
    const found = runtime.catalogue().find(({ id }) => id === params.softwareId)
    if (found) return { items: found.versions, nextCursor: null }
    const message = 'This software is not offered here. The catalog lists what is.'
    throw new Refusal(404, 'software.not-found', message)
  })
}
