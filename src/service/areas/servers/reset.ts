import { servers } from '../../../contract/areas/servers.ts'
import type { ServerChanges } from '../../changes/server-changes.ts'
import type { Runtime } from '../../runtime/types.ts'
import { serve, type ServiceApp } from '../../http/serve.ts'
import { requireWorld } from '../../software/proxy.ts'

export function mountReset(
  app: ServiceApp,
  { runtime, changes }: { runtime: Pick<Runtime, 'requireDown' | 'software'>; changes: ServerChanges },
): void {
  serve(app, servers.reset, async (given) => {
    const { server, body } = given
    requireWorld(runtime.software(server.softwareId))
    runtime.requireDown(server.id, 'reset-it')
    await given.askSecondFactor()
    given.checkAgain()
    changes.reset(server.id, body.keep)
    return { accepted: true }
  })
}
