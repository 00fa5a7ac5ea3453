import { mountBackups } from './areas/backups/routes.ts'
import { mountExtensions } from './areas/extensions/routes.ts'
import { scheduledUpdates } from './areas/extensions/scheduled-updates.ts'
import { servicePorts } from './areas/extensions/service-ports.ts'
import type { ExtensionsPorts } from './areas/extensions/extensions.ts'
import { mountSchedules } from './areas/schedules/routes.ts'
import type { AppOptions } from './app.ts'
import { backupSteps } from './backups/schedule-steps.ts'
import { systemTimers } from './base/timers.ts'
import type { ServiceApp } from './http/serve.ts'
import { scheduleNews } from './schedule-news.ts'

type BackupParts = Pick<Parameters<typeof mountBackups>[1], 'files' | 'changes' | 'register' | 'allowance'>

interface OwnWorkParts extends BackupParts {
  imports: ExtensionsPorts['sent']
  activity: Pick<Parameters<typeof scheduleNews>[0], 'log'>
  told: Parameters<typeof scheduleNews>[0]['told'] & {
    sources: { backupFailed(serverId: string, target?: string): void }
  }
}

/** Extensions and backups, and the rules that work on them. */
export function mountOwnWork(
  app: ServiceApp,
  options: AppOptions,
  { imports, activity, told, ...parts }: OwnWorkParts,
) {
  const { store, runtime, clock, log, timers = systemTimers } = options
  const ports = { ...servicePorts(options), all: parts.files, sent: imports }
  const extensions = mountExtensions(app, ports)
  const { backups, ready, resume, forget } = mountBackups(app, {
    ...{ ...options, ...parts, downloads: options.extensions?.downloads ?? null },
    failed(serverId) {
      told.sources.backupFailed(serverId)
      schedules.tell(serverId, 'backup-failed')
    },
    notCopied: (serverId, target) => told.sources.backupFailed(serverId, target),
  })
  const schedules = mountSchedules(app, {
    ...{ store, access: app.access, runtime, clock, timers, log },
    ...{ updates: scheduledUpdates(extensions, ports), backups: backupSteps(backups) },
    isStopping: () => options.phase() !== 'running',
    told: scheduleNews({ log: activity.log, runtime, told }),
  })
  return {
    ...{ extensions, backups, ready },
    start() {
      schedules.start()
      resume()
    },
    async end(serverId: string) {
      await schedules.endAll(serverId)
      await Promise.all([extensions.installs.end(serverId), backups.works.cancel(serverId)])
    },
    forget(serverId: string) {
      extensions.forget(serverId)
      schedules.forget(serverId)
      forget(serverId)
    },
    async close() {
      await schedules.close()
      await Promise.all([extensions.close(), backups.close()])
    },
  }
}
