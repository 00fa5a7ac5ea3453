import { software } from '../../../contract/areas/software.ts'
import type { Runtime } from '../../runtime/types.ts'
import { serve, type ServiceApp } from '../../serve.ts'

/** Mounts the catalog of what can be run here. */
export function mountSoftware(
  app: ServiceApp,
  runtime: Pick<Runtime, 'catalogue' | 'versions' | 'javas'>,
): void {
  serve(app, software.list, () => ({
    items: runtime.catalogue(),
    nextCursor: null,
  }))

  serve(app, software.versions, async ({ params }) => ({
    items: await runtime.versions(params.softwareId),
    nextCursor: null,
  }))

  serve(app, software.javas, async () => ({
    items: (await runtime.javas()).map(({ home, ...java }) => ({ id: home, ...java })),
    nextCursor: null,
  }))
}
