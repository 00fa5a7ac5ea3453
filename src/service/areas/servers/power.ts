import { statsHistory } from '../../../contract/areas/stats-history.ts'
import { servers } from '../../../contract/areas/servers.ts'
import { refusal } from '../../../host/refusal.ts'
import type { StatsRecorder } from '../../runtime/stats/stats-history.ts'
import type { Runtime } from '../../runtime/types.ts'
import { serve, type ServiceApp } from '../../http/serve.ts'
import type { ServerChanges } from '../../changes/server-changes.ts'
import { requireWorld } from '../../software/software.ts'

export function mountPower(app: ServiceApp, runtime: Pick<Runtime, 'find'>): void {
  serve(app, servers.status, ({ server }) => runtime.find(server.id).status())

  serve(app, servers.power, async ({ server, body }) => {
    await runtime.find(server.id).power(body.action)
    return { accepted: true }
  })

  serve(app, servers.abandon, ({ server }) => runtime.find(server.id).abandon())

  serve(app, servers.stats, async ({ server }) => {
    const stats = await runtime.find(server.id).stats.now()
    if (stats) return stats
    throw refusal(409, 'server.not-online')
  })
}

export function mountStatsHistory(app: ServiceApp, recorder: StatsRecorder): void {
  serve(app, statsHistory.history, ({ server, query }) => recorder.read(server.id, query.range ?? 'hour'))
}

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
