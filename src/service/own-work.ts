import { mountExtensions } from './areas/extensions/routes.ts'
import { scheduledUpdates } from './areas/extensions/scheduled-updates.ts'
import { servicePorts } from './areas/extensions/service-ports.ts'
import type { ExtensionsPorts } from './areas/extensions/extensions.ts'
import { mountSchedules } from './areas/schedules/routes.ts'
import type { AppOptions } from './app.ts'
import { systemTimers } from './base/timers.ts'
import type { ServiceApp } from './http/serve.ts'
import { scheduleNews } from './schedule-news.ts'

interface OwnWorkParts extends Pick<Parameters<typeof scheduleNews>[0], 'told'> {
  files: ExtensionsPorts['all']
  imports: ExtensionsPorts['sent']
  activity: Pick<Parameters<typeof scheduleNews>[0], 'log'>
}

/** Extensions, and the rules that can update them. */
export function mountOwnWork(
  app: ServiceApp,
  options: AppOptions,
  { files, imports, activity, told }: OwnWorkParts,
) {
  const { store, runtime, clock, log, timers = systemTimers } = options
  const ports = { ...servicePorts(options), all: files, sent: imports }
  const extensions = mountExtensions(app, ports)
  const schedules = mountSchedules(app, {
    ...{ store, access: app.access, runtime, clock, timers, log },
    ...{ updates: scheduledUpdates(extensions, ports), backups: null },
    isStopping: () => options.phase() !== 'running',
    told: scheduleNews({ log: activity.log, runtime, told }),
  })
  return {
    extensions,
    schedules,
    end: (serverId: string) => Promise.all([extensions.installs.end(serverId), schedules.endAll(serverId)]),
    forget(serverId: string) {
      extensions.forget(serverId)
      schedules.forget(serverId)
    },
    async close() {
      await schedules.close()
      await extensions.close()
    },
  }
}
