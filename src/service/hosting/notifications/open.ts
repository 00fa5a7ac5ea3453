import type { Logger } from 'pino'
import type { ServerAccess } from '../../base/access.ts'
import type { AgingClock } from '../../base/clock.ts'
import type { Runtime } from '../../runtime/types.ts'
import type { Store } from '../../store/store.ts'
import { AccountStreams } from './account-streams.ts'
import { BackupWatch } from './backup-watch.ts'
import { DiskWatch } from './disk-watch.ts'
import { Notifications } from './notifications.ts'
import { PromotionWatch } from './promotion-watch.ts'
import { NotificationSources } from './sources.ts'

export interface NotificationParts {
  store: Store
  runtime: Runtime
  access: Pick<ServerAccess, 'byId' | 'held'>
  clock: AgingClock
  log: Logger
  dataDir: string
  quotaOf: (serverId: string) => number | null
}

export type NotificationService = ReturnType<typeof openNotifications>

export function openNotifications({
  store,
  runtime,
  access,
  clock,
  log,
  dataDir,
  quotaOf,
}: NotificationParts) {
  const notifications = new Notifications({
    store,
    access,
    clock,
    log,
    changed: (accountId) => streams.notified(accountId),
  })
  const streams = new AccountStreams(notifications)
  const sources = new NotificationSources({
    store,
    notifications,
    held: (accountId, server) => access.held(accountId, server),
    stops: (serverId, command) => runtime.stops(serverId, command),
    elapsed: () => clock.elapsed(),
    log,
  })
  const stopRows = store.rows.on(({ invited, notified }) => {
    for (const accountId of notified) streams.notified(accountId)
    try {
      for (const email of invited) {
        const account = store.accounts.byEmail(email)
        // Invitations are shown only for confirmed addresses.
        if (account?.confirmedAt) streams.offersChanged(account.id)
      }
    } catch (error) {
      // The change itself is done, so nobody could handle this error.
      log.warn({ err: error }, 'who was invited could not be told that something has changed')
    }
  })
  const stopStatus = runtime.onStatus((serverId, status) => sources.status(serverId, status))
  const servers = () =>
    store.servers.all().flatMap(({ id }) => {
      const [used, quota] = [runtime.diskBytes(id), quotaOf(id)]
      return used === null || quota === null ? [] : [{ serverId: id, used, quota }]
    })
  const watch = new DiskWatch({ store, folder: dataDir, servers, sources, log })
  const backups = new BackupWatch({ store, sources, clock, log })
  const promotions = new PromotionWatch({ store, notifications, clock, log })
  return {
    notifications,
    streams,
    sources,
    close() {
      stopStatus()
      stopRows()
      watch.close()
      backups.close()
      promotions.close()
      streams.close()
    },
  }
}
