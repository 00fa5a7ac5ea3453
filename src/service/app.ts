import type { Logger } from 'pino'
import path from 'node:path'
import type { ServerAccess } from './base/access.ts'
import { AccountAllowance } from './base/account-allowance.ts'
import type { ActivityLog } from './areas/activity/activity-log.ts'
import { mountActivity } from './areas/activity/routes.ts'
import { createAccounts, type Accounts } from './hosting/accounts/accounts.ts'
import { beginsSessions } from './hosting/accounts/sessions.ts'
import { mountGoogle } from './hosting/accounts/google/routes.ts'
import type { GoogleSettings } from './hosting/accounts/google/settings.ts'
import { type LimitChanges, Limiter } from './http/limits/limiter.ts'
import type { LocalSecret } from './hosting/accounts/local-secret.ts'
import type { Outbox } from './hosting/mail/mail.ts'
import { createPasswords, type PasswordCost } from './hosting/accounts/sign-in/passwords.ts'
import { BOUNDS, type Bounds } from './http/limits/bounds.ts'
import { RequestLimiter } from './http/limits/request-limiter.ts'
import { ImportDrafts } from './areas/imports/drafts.ts'
import { mountImports } from './areas/imports/routes.ts'
import { mountNotifications } from './areas/notifications/routes.ts'
import type { ExtensionsPorts } from './areas/extensions/extensions.ts'
import { mountModpacks } from './areas/modpacks/routes.ts'
import { mountPlayers } from './areas/players/routes.ts'
import { openNotifications, type NotificationService } from './hosting/notifications/open.ts'
import type { AgingClock } from './base/clock.ts'
import { allServerFiles, type AllServerFiles, type FileLimitOptions } from './files/all-server-files.ts'
import type { JobRunner } from './files/jobs.ts'
import { findFreePort, FIRST_GAME_PORT } from './base/host.ts'
import { createHono } from './http/http.ts'
import { InFlight } from './http/in-flight.ts'
import type { UnfitJarsQuery } from './changes/foresee-change.ts'
import { ServerChanges } from './changes/server-changes.ts'
import type { DownloadCache } from './software/fetched.ts'
import type { Javas } from './software/java/javas.ts'
import type { InstalledRecords } from './software/installed.ts'
import { mountAccess } from './areas/access/routes.ts'
import { mountAccount } from './areas/account/routes.ts'
import { mountFileJobs } from './areas/files/jobs.ts'
import { mountFiles } from './areas/files/routes.ts'
import { mountConsole } from './areas/console/routes.ts'
import { mountPromocodes } from './areas/promocodes/routes.ts'
import { type CrashRoutes, mountCrashes } from './areas/servers/crashes.ts'
import { mountPower, mountStatsHistory, mountReset } from './areas/servers/power.ts'
import { mountCatalog, mountSoftware } from './areas/software/routes.ts'
import { mountOwnWork, openSleep } from './own-work.ts'
import type { Sleep } from './sleep/sleep.ts'
import type { Timers } from './base/timers.ts'
import { type AddressRoutes, mountAddresses } from './areas/servers/addresses.ts'
import { mountServers } from './areas/servers/routes.ts'
import { ServerSettings } from './areas/servers/server-settings.ts'
import type { LinkTuning } from './management/management-link.ts'
import { Managements } from './management/managements.ts'
import { StatsRecorder } from './runtime/stats/stats-history.ts'
import type { Runtime } from './runtime/types.ts'
import type { Phase, ServiceApp } from './http/serve.ts'
import { logOf, OF_A_SERVER } from './log-of-servers.ts'
import { requireFolder, type ServerFolders } from './files/server-folders.ts'
import { ServerRegister } from './areas/servers/register.ts'
import type { Store } from './store/store.ts'
import { mountUploads } from './areas/files/uploads.ts'

export interface AppOptions {
  dataDir: string
  store: Store
  runtime: Runtime
  records: InstalledRecords
  folders: ServerFolders
  outbox: Outbox
  clock: AgingClock
  timers?: Timers
  log: Logger
  host: string
  /** Servers get this port or the next free ones. Default: Minecraft's own. */
  firstGamePort?: number
  allowRegistration: boolean
  localSecret: LocalSecret | null
  google?: GoogleSettings | null
  /** Valid once it listens. */
  origin?: () => string
  phase: () => Phase
  /** A local reverse proxy sets `X-Forwarded-For`. */
  behindProxy?: boolean
  fileLimits?: Partial<FileLimitOptions>
  memoryPerAccount?: number | null
  restic?: string | null
  limits?: LimitChanges
  bounds?: Partial<Bounds>
  passwordCost?: PasswordCost
  management?: LinkTuning
  fetched?: DownloadCache | null
  javas?: Javas | null
  extensions?: ExtensionsPorts['catalogs']
  held?: ServerAccess['held']
}

interface App {
  hono: ReturnType<typeof createHono>
  accounts: Accounts
  files: AllServerFiles
  sleep: Pick<Sleep, 'begin'>
  ready: Promise<void>
  /** Resumes work of an earlier run. */
  resume(): void
  close(): Promise<void>
}

export const heldIn =
  ({ sharing }: Store): ServerAccess['held'] =>
  (accountId, server) =>
    server.ownerId === accountId ? 'owner' : sharing.held(server.id, accountId)

const filesOfServers = (
  { folders, runtime, fileLimits }: AppOptions,
  allowance: AccountAllowance,
  drafts: ImportDrafts,
) =>
  allServerFiles({
    folders: drafts.beside(folders),
    moreQuota: (id) => allowance.moreDisk(id, drafts.byId(id)?.ownerId),
    running: (serverId) => !runtime.isDown(serverId),
    maxFileBytes: null,
    quotaBytes: null,
    ...fileLimits,
  })

/** Ends running work that an account may no longer do. */
function endWhatIsLost(app: ServiceApp, jobs: Pick<JobRunner, 'endOf'>, serverId: string, accountId: string) {
  app.inFlight.recheck(serverId)
  const server = app.access.byId(serverId)
  const held = server && app.access.held(accountId, server)
  if (held !== 'owner' && !held?.includes('files.write')) jobs.endOf(serverId, accountId)
}

function mountSharing(
  app: ServiceApp,
  limiter: Limiter,
  {
    store,
    clock,
    outbox,
    runtime,
    told,
    jobs,
  }: AppOptions & { told: NotificationService; jobs: Pick<JobRunner, 'endOf'> },
): void {
  mountAccess(app, {
    limiter,
    store,
    clock,
    outbox,
    standingChanged: (serverId, accountId) => {
      runtime.standingChanged(serverId, accountId, OF_A_SERVER)
      told.streams.scopesChanged(accountId, serverId)
      endWhatIsLost(app, jobs, serverId, accountId)
    },
    offered: (email, invitation) => told.sources.offered(email, invitation),
  })
}

function mountWaysIn(
  app: ServiceApp,
  accounts: Accounts,
  {
    limiter,
    told,
    activity,
    ...options
  }: AppOptions & { limiter: Limiter; told: NotificationService; activity: ActivityLog },
): void {
  const { allowRegistration, localSecret, clock, google = null, origin = () => '' } = options
  const begun = beginsSessions(accounts.sessions, (accountId, from) =>
    told.sources.signedInAnew(accountId, from),
  )
  const exportOf = (accountId: string) => ({
    ...told.notifications.exportOf(accountId),
    ...activity.exportOf(accountId),
  })
  mountAccount(app, { accounts, limiter, allowRegistration, localSecret, begun, exportOf })
  mountGoogle(app, { accounts, clock, allowRegistration, google, origin, begun })
}

function allowanceOf(
  { store, clock, memoryPerAccount: memoryMb = null, fileLimits }: AppOptions,
  { servers }: Bounds,
): AccountAllowance {
  const base = { servers, memoryMb, diskBytes: fileLimits?.quotaBytes ?? null }
  return new AccountAllowance({ store, clock, base })
}

/** What areas share; `late` is set before the first request. */
function sharedBy(
  options: AppOptions,
  accounts: Accounts,
  drafts: ImportDrafts,
  late: { isGoing: (serverId: string) => boolean; wrote: ServiceApp['wrote'] },
): ServiceApp {
  const { store } = options
  return {
    handlers: new Map(),
    below: new Map(),
    log: options.log,
    gates: new RequestLimiter({ ...BOUNDS, ...options.bounds }, () => options.clock.elapsed()),
    phase: options.phase,
    behindProxy: options.behindProxy ?? false,
    authenticate: (token, from) => accounts.authenticate(token, from),
    askSecondFactor: (caller, code) => accounts.secondFactors.ask(caller, code),
    access: {
      byId: (serverId) => store.servers.byId(serverId),
      held: options.held ?? heldIn(store),
      isGoing: late.isGoing,
      moving: (serverId) => drafts.asServer(serverId),
      explain(serverId) {
        if (store.servers.byId(serverId)) requireFolder(options.folders.of(serverId))
      },
    },
    inFlight: new InFlight(),
    wrote(write) {
      // Servers still being moved in have no log yet.
      if (!drafts.byId(write.serverId)) late.wrote(write)
    },
  }
}

function mountServerWork(
  app: ServiceApp,
  parts: AddressRoutes &
    CrashRoutes &
    Parameters<typeof mountSoftware>[1] & { runtime: Runtime; javas: Javas | null } & Pick<
      AppOptions,
      'store' | 'log'
    >,
): StatsRecorder {
  mountReset(app, parts)
  mountAddresses(app, parts)
  mountCrashes(app, parts)
  mountPower(app, parts.runtime)
  mountConsole(app, parts.runtime)
  mountCatalog(app, parts.runtime, parts.javas)
  mountSoftware(app, parts)
  const use = new StatsRecorder(parts)
  mountStatsHistory(app, use)
  return use
}

function packRoutes({ extensions, runtime, store, clock, log }: AppOptions) {
  const catalogs = extensions ? { packs: extensions.catalogs.packs, downloads: extensions.downloads } : null
  const ownerOf = (serverId: string) => store.servers.byId(serverId)?.ownerId ?? ''
  return { runtime, clock, log, catalogs, ownerOf }
}

function mountPromotions(
  app: ServiceApp,
  limiter: Limiter,
  {
    told,
    ...parts
  }: Omit<Parameters<typeof mountPromocodes>[2], 'activated'> & { told: NotificationService },
): void {
  const activated = (accountId: string, { name }: { name?: string | null }) =>
    told.notifications.tell(accountId, { kind: 'promotion', isRead: true, values: { promotion: name ?? '' } })
  mountPromocodes(app, limiter, { ...parts, activated })
}

const passwordsOf = ({ passwordCost }: AppOptions) => createPasswords(passwordCost)

const closing =
  (first: readonly { close(): Promise<unknown> }[], then: readonly { close(): void }[]) => async () => {
    await Promise.all(first.map((part) => part.close()))
    for (const part of then) part.close()
  }

/** Assembles the HTTP app and registers existing servers with the runtime. */
export function createApp(options: AppOptions): App {
  const { store, runtime, records, folders, clock, log, host, firstGamePort = FIRST_GAME_PORT } = options
  const limiter = new Limiter(() => clock.elapsed(), options.limits)
  const signInsEnded = (accountId: string) => {
    runtime.recheckStreams(accountId)
    told.streams.recheck(accountId)
    app.inFlight.recheckAll()
  }
  const accounts = createAccounts({ ...options, limiter, passwords: passwordsOf(options), signInsEnded })
  const drafts = new ImportDrafts(path.join(options.dataDir, 'imports'), clock)
  const app = sharedBy(options, accounts, drafts, {
    isGoing: (serverId) => register.isGoing(serverId) || imports.isGoing(serverId),
    wrote(write) {
      activity.wrote(write)
      told.sources.wrote(write)
    },
  })
  const activity = logOf(options)
  const allowance = allowanceOf(options, app.gates.bounds)
  const files = filesOfServers(options, allowance, drafts)
  const quotaOf = (serverId: string) => files.of(serverId).space.quotaBytes
  const told = openNotifications({ ...options, access: app.access, quotaOf })
  mountWaysIn(app, accounts, { ...options, limiter, told, activity: activity.log })
  mountPromotions(app, limiter, { store, clock, allowance, told })
  const changes = new ServerChanges({
    ...{ store, runtime, records, folders, files, clock, log },
    changed: (row) => register.changed(row),
    allChanged: (serverId) => runtime.tellChanged(serverId, OF_A_SERVER, ''),
    endJobs: (id) => Promise.all([jobs.endAll(id), extensions.rest(id), backups.works.rest(id)]),
  })
  const settings = new ServerSettings(files, runtime)
  const sleep = openSleep(options, files, activity)
  const register = new ServerRegister({
    ...{ store, runtime, folders, clock, log, host, firstGamePort, allowance },
    letGo: (id) => Promise.all([uploads.breakOff(id), jobs.endAll(id), own.end(id)]),
    peopleOf: (serverId) => told.sources.peopleOf(serverId),
    listChanged: (accountId) => told.streams.serversChanged(accountId),
    forgetFiles: (id) => [files, players, own, settings, sleep].forEach((part) => void part.forget(id)),
    forgetInstalled: (serverId) => records.forget(serverId),
  })
  const serverIds = () => store.servers.all().map((row) => row.id)
  mountFiles(app, { all: files, clock, serverIds: [...serverIds(), ...drafts.ids] })
  const isThere = (id: string) => store.servers.byId(id) !== null
  const uploads = mountUploads(app, { files, clock, serverIds, isThere })
  const jobs = mountFileJobs(app, { files, clock, log, tell: (id, job) => activity.tellJob(id, job) })
  mountSharing(app, limiter, { ...options, told, jobs })
  mountActivity(app, activity.log)
  const stateOf = (id: string) => `${changes.stateOf(id)} ${extensions.stateOf(id)}`
  const view = mountServers(app, {
    ...{ store, runtime, register, allowance, files, records, settings, stateOf, host },
    ...{ sources: told.sources, copiedPack: (id) => changes.copiedPack(id) },
  })
  const imports = mountImports(app, {
    ...{ ...options, drafts, files, register, view, allowance, changes },
    breakOff: (id) => uploads.breakOff(id),
    freePort: (wish) => findFreePort(host, store.servers.ports(), wish ?? firstGamePort),
  })
  const unfitFor: UnfitJarsQuery = (id, to) => extensions.unfitFor(id, to)
  const work = { changes, records, unfitFor, fetched: options.fetched ?? null, javas: options.javas ?? null }
  const packs = mountModpacks(app, { ...packRoutes(options), ...work, files, register, view, sent: imports })
  mountNotifications(app, told)
  const managements = new Managements({ all: files, runtime, log, tuning: options.management })
  const players = mountPlayers(app, { ...options, all: files, managements, lifted: activity.lifted })
  const own = mountOwnWork(app, options, {
    ...{ files, imports, changes, register, allowance, activity, told },
  })
  const { extensions, backups } = own
  const use = mountServerWork(app, { ...options, register, files, extensions, ...work })
  const close = closing(
    [uploads, jobs, players, own, imports, packs, sleep],
    [managements, settings, activity, told, use],
  )
  const resume = () => {
    packs.resume(serverIds())
    own.start()
  }
  return { hono: createHono(app), accounts, files, sleep, ready: own.ready, resume, close }
}
