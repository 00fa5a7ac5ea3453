import { mountBackups } from './areas/backups/routes.ts'
import { mountExtensions } from './areas/extensions/routes.ts'
import { scheduledUpdates } from './areas/extensions/scheduled-updates.ts'
import { servicePorts } from './areas/extensions/service-ports.ts'
import type { ExtensionsPorts } from './areas/extensions/extensions.ts'
import { mountSchedules } from './areas/schedules/routes.ts'
import type { AppOptions } from './app.ts'
import { systemTimers } from './base/timers.ts'
import type { ServiceApp } from './http/serve.ts'
import { scheduleNews } from './schedule-news.ts'
import { Refusal, refusal } from '../host/refusal.ts'
import type { BackupSteps } from './schedules/ports.ts'
import type { Backups } from './backups/backups.ts'
import { iconIn } from './areas/servers/icon.ts'
import type { AllServerFiles } from './files/all-server-files.ts'
import type { logOf } from './log-of-servers.ts'
import { Sleep } from './sleep/sleep.ts'

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

/** What rules do with backups. */
const backupSteps = (backups: Backups): BackupSteps => ({
  async backUp(serverId, signal) {
    await backups.backUp(serverId, { cause: 'schedule' }, signal)
  },
  async tryNewest(serverId, signal) {
    const { tried } = await backups.tryNewest(serverId, true, signal)
    if (tried?.result === 'sound' || tried?.result === 'started') return
    throw tried?.error ? Refusal.again(409, tried.error) : refusal(500, 'backups.unexpected')
  },
})

export const openSleep = (
  { runtime, store, clock, log }: AppOptions,
  files: AllServerFiles,
  told: ReturnType<typeof logOf>,
): Sleep =>
  new Sleep({
    ...{ runtime, files, clock, log, told, marks: store.stats.marks },
    icon: (id) => iconIn(files.of(id)),
  })
