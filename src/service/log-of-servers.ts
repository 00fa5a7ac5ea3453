import { api, servedOperations } from '../contract/areas/index.ts'
import type { Operation } from '../contract/declarations/operation.ts'
import { ActivityLog } from './areas/activity/activity-log.ts'
import type { AppOptions } from './app.ts'
import type { FileJobInput } from './runtime/types.ts'
import type { ServerWrite } from './http/serve.ts'

/** Reads that a client may have cached about a server. */
export const OF_A_SERVER = servedOperations
  .filter(({ id, kind, path }) => kind === 'read' && (path.includes(':serverId') || id === 'servers.list'))
  .map(({ id }) => id)

const LOG = ['activity.list'] as const

const staleAfter = ({ stale, puts }: Operation) =>
  [...stale, ...(puts === null ? [] : [puts])].filter((read) => OF_A_SERVER.includes(read))

/** A refused write only changes the log. */
const oldAfter = ({ op, refused }: ServerWrite, isNoted: boolean): readonly string[] =>
  refused === null ? staleAfter(op).filter((read) => isNoted || read !== LOG[0]) : isNoted ? LOG : []

export function logOf({
  store,
  runtime,
  clock,
  log: logger,
}: Pick<AppOptions, 'store' | 'runtime' | 'clock' | 'log'>) {
  const log = new ActivityLog({ store, clock, log: logger })
  const tellLog = (serverId: string) => runtime.tellChanged(serverId, LOG, '')
  const stop = runtime.onStatus((serverId, { status, exitCode = null }) => {
    if (status !== 'crashed') return
    const reason = exitCode === null ? null : `exit-code-${exitCode}`
    log.takeOwn(serverId, { area: 'servers', action: 'servers.crashed', result: 'failed', reason })
    tellLog(serverId)
  })
  return {
    log,
    wrote(write: ServerWrite) {
      const old = oldAfter(write, log.take(write))
      if (old.length > 0) runtime.tellChanged(write.serverId, old, write.by.tokenHash)
    },
    tellJob(serverId: string, job: FileJobInput) {
      runtime.tellJob(serverId, job)
      if (endOfJob(log, job)) tellLog(serverId)
    },
    slept(serverId: string): void {
      log.takeOwn(serverId, { area: 'servers', action: 'servers.slept' })
      tellLog(serverId)
    },
    woken(serverId: string, name: string): void {
      log.takeOwn(serverId, { area: 'servers', action: 'servers.woken', kind: 'player', targets: [name] })
      tellLog(serverId)
    },
    /** An expired ban was lifted, so players changed too. */
    lifted: (serverId: string, name: string, result: 'done' | 'accepted') => {
      log.takeOwn(serverId, {
        ...{ area: 'players', action: 'players.ban-ended', kind: 'player', targets: [name], result },
      })
      runtime.tellChanged(serverId, staleAfter(api.players.act), '')
    },
    close() {
      stop()
      log.close()
    },
  }
}

/** Returns true if the job has ended and is logged. */
function endOfJob(log: ActivityLog, { id, state, error }: FileJobInput): boolean {
  if (state === 'running') return false
  const result = state === 'cancelled' ? 'canceled' : state === 'failed' ? 'failed' : 'done'
  return log.ended(id, result, error?.code ?? null)
}
