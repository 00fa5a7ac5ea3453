import path from 'node:path'
import type { Logger } from 'pino'
import { BASE_PATH } from '../contract/areas/index.ts'
import type { ServerAccess } from './base/access.ts'
import type { Accounts } from './hosting/accounts/accounts.ts'
import type { GoogleSettings } from './hosting/accounts/google/settings.ts'
import type { LimitChanges } from './http/limits/limiter.ts'
import type { LocalSecret } from './hosting/accounts/local-secret.ts'
import type { PasswordCost } from './hosting/accounts/sign-in/passwords.ts'
import { ExtensionCatalogs } from '../extensions/catalogs/extension-catalogs.ts'
import type { ExtensionsPorts } from './areas/extensions/extensions.ts'
import { createApp } from './app.ts'
import { BOUNDS, type Bounds } from './http/limits/bounds.ts'
import type { Timers } from './base/timers.ts'
import { agingClock, systemClock, type Clock } from './base/clock.ts'
import type { FileLimitOptions } from './files/all-server-files.ts'
import { databaseIn, lockServiceFolder, prepareServiceFolder } from './base/service-folder.ts'
import type { AllServerFiles } from './files/all-server-files.ts'
import { demoSoftware } from './software/demo/demo.ts'
import { scriptSoftware } from './software/script-software.ts'
import { InstalledRecords } from './software/installed.ts'
import {
  openJavaSoftware,
  type JavaSoftware,
  type JavaSoftwareOptions,
} from './software/open-java-software.ts'
import type { CatalogSettings } from './software/catalogs/settings.ts'
import { outbound, type ResolveProxy } from './software/downloads/downloads.ts'
import { listen, type Tls } from './http/listener.ts'
import type { FolderLock } from '../host/folder-lock.ts'
import { openLog } from './base/log.ts'
import { folderOutbox, takeWaiting } from './hosting/mail/folder-outbox.ts'
import type { Outbox } from './hosting/mail/mail.ts'
import { SmtpOutbox } from './hosting/mail/smtp-outbox.ts'
import type { SmtpSettings } from './hosting/mail/smtp-settings.ts'
import type { AdoptedServer } from './runtime/containers/adopted-driver.ts'
import type { EngineSettings } from './runtime/containers/engine.ts'
import { createRuntime } from './runtime/runtime.ts'
import type { LinkTuning } from './management/management-link.ts'
import type { Runtime } from './runtime/types.ts'
import type { Phase } from './http/serve.ts'
import { aboutLeftover, type Leftover, serverFolders, type ServerFolders } from './files/server-folders.ts'
import { openStore, type Store } from './store/store.ts'
import { type StartupReport, startupReport } from './startup-report.ts'
import { noteRunning, takeNoted } from './runtime/start-again.ts'

export interface ServiceOptions {
  dataDir: string
  host?: string
  port?: number
  /** Game servers get this port or the next free ones. Default: Minecraft's own. */
  firstGamePort?: number
  tls?: Tls | null
  allowRegistration?: boolean
  behindProxy?: boolean
  /** Absent: no local owner sign-in. */
  localSecret?: LocalSecret | null
  /** Absent: mail is written to a folder. */
  smtp?: SmtpSettings | null
  google?: GoogleSettings | null
  /** Absent: no downloads. */
  catalogs?: CatalogSettings | null
  /** Proxy lookup through the parent's system. */
  resolveProxy?: ResolveProxy | undefined
  nodePath?: string
  verbose?: boolean
  /** If the database can't be read, restore the newest backup. */
  restoreBackup?: boolean
  clock?: Clock
  timers?: Timers
  /** MiB per account. Default: no limit. */
  memoryPerAccount?: number | null
  /** Path of the restic to use, rather than any. */
  restic?: string | null
  /** Absent: no containers. */
  engine?: EngineSettings | null
  limits?: LimitChanges
  /** For tests. */
  bounds?: Partial<Bounds>
  fileLimits?: Partial<FileLimitOptions>
  passwordCost?: PasswordCost
  management?: LinkTuning
  held?: ServerAccess['held']
}

export interface RunningService {
  baseUrl: string
  dataDir: string
  outboxDir: string
  log: Logger
  accounts: Accounts
  found: StartupReport
  /** Resolves once it should end: it can't reach its Swarm any more, and another computer asks for its folder. */
  replaced: Promise<void>
  /** The next start will start the servers running now. Throws if that can't be saved. */
  startAgain(): void
  /** Stops game servers first. Call again with `hurry` to stop waiting for worlds. */
  close(hurry?: boolean): Promise<void>
}

const GRACE_MS = 2000
/** How long a panel's service waits for its predecessor, in ms. The panel waits for 60 s. */
const HELD_MS = 50_000
const HOUR_MS = 60 * 60 * 1000

/** Throws StartProblem; nothing is left open then. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { host = '127.0.0.1', port = 0, tls = null } = options
  const undo = new AsyncDisposableStack()
  try {
    const dataDir = prepareServiceFolder(options.dataDir)
    const lock = await lockIn(dataDir, options)
    undo.defer(() => lock.release())
    const logFile = openLog(dataDir, options.verbose ?? false)
    const log = logFile.logger
    undo.defer(() => logFile.close())
    const store = await storeIn(dataDir, options, log)
    undo.defer(() => store.close())
    const clock = agingClock(options.clock ?? systemClock, store.seenTime)
    undo.defer(() => clock.stop())
    const folders = serverFolders(dataDir)
    const found = await takeStock(dataDir, store, folders, log)
    undo.defer(clearHourly(folders))
    let files: Pick<AllServerFiles, 'of'> | null = null
    const records = new InstalledRecords(path.join(dataDir, 'software', 'installed'))
    const filesOf: AllServerFiles['of'] = (id) => files!.of(id)
    const java = await javaIn({ dataDir, clock, filesOf, records, log }, store, options, undo)
    const runtime = await runtimeIn(dataDir, store.epoch, options, adoptedIn(store, folders), java, log)
    const stopRuntime = closeOnce(runtime)
    undo.defer(() => stopRuntime(true))
    let phase: Phase = 'running'
    let origin = ''
    const outboxDir = path.join(dataDir, 'outbox')
    const outbox = await outboxIn(outboxDir, options, clock, log, undo)
    const { hono, accounts, ...app } = createApp({
      ...appOptions(options),
      ...{ store, runtime, records, folders, outbox, clock, log, host },
      ...(options.timers && { timers: options.timers }),
      phase: () => phase,
      origin: () => origin,
      ...(java && { fetched: java.fetched, javas: java.javas }),
      extensions: extensionsIn(dataDir, options, java, clock, undo),
    })
    files = app.files
    undo.defer(() => app.close())
    undo.defer(() => accounts.settled())
    const listener = await app.ready.then(() => listen(host, port, tls, hono.fetch, boundsOf(options)))
    undo.defer(() => listener.close(GRACE_MS))
    origin = listener.origin
    log.info({ origin: listener.origin, epoch: store.epoch }, 'listening')
    runtime.startMarked(await takeNoted(dataDir))
    app.resume()
    app.sleep.begin()

    // Started; closing undoes these steps in reverse, game servers first.
    const steps = undo.move()
    let closing: Promise<void> | null = null
    return {
      baseUrl: listener.origin + BASE_PATH,
      dataDir,
      outboxDir,
      log,
      accounts,
      found,
      replaced: replacement(lock, runtime),
      startAgain: () => noteRunning(dataDir, store.servers.all(), runtime),
      close(hurry = false) {
        if (phase === 'running') {
          phase = 'ending'
          lock.ending()
        }
        const stopped = stopRuntime(hurry)
        closing ??= stopped.finally(() => {
          phase = 'ended'
          return steps.disposeAsync()
        })
        return closing
      },
    }
  } catch (error) {
    // Report the start error, not errors of the cleanup.
    await undo.disposeAsync().catch(() => undefined)
    throw error
  }
}

const lockIn = (dataDir: string, { localSecret, engine }: ServiceOptions): Promise<FolderLock> =>
  lockServiceFolder(dataDir, {
    // After a panel crash, its service may still be saving worlds.
    patienceMs: localSecret ? HELD_MS : 0,
    isShared: engine?.swarm !== undefined,
  })

const replacement = (lock: FolderLock, { nodes }: Runtime): Promise<void> =>
  new Promise((resolve) => lock.onWanted(() => void nodes?.names().catch(() => resolve())))

const storeIn = (dataDir: string, options: ServiceOptions, log: Logger): Promise<Store> =>
  openStore(databaseIn(dataDir), {
    clock: options.clock ?? systemClock,
    restore: options.restoreBackup ?? false,
    onCopyFailed: (error) => log.warn({ err: error }, 'the database could not be copied'),
  })

async function outboxIn(
  folder: string,
  { smtp }: Pick<ServiceOptions, 'smtp'>,
  clock: Clock,
  log: Logger,
  undo: AsyncDisposableStack,
): Promise<Outbox> {
  if (!smtp) {
    await takeWaiting(folder, clock, log).catch((error: unknown) =>
      log.error({ err: error }, 'it could not be found out which mails wait'),
    )
    return folderOutbox(folder, clock)
  }
  const outbox = await SmtpOutbox.open({ ...smtp, folder, clock, log: log.child({ part: 'mail' }) })
  undo.defer(() => outbox.close(GRACE_MS))
  return outbox
}

async function javaIn(
  ports: Omit<JavaSoftwareOptions, 'settings' | 'gamePorts' | 'dispatcher'>,
  { servers }: Store,
  { catalogs, resolveProxy }: Pick<ServiceOptions, 'catalogs' | 'resolveProxy'>,
  undo: AsyncDisposableStack,
): Promise<JavaSoftware | null> {
  const more = { gamePorts: () => servers.ports(), dispatcher: outbound(resolveProxy) }
  const java = catalogs ? await openJavaSoftware({ ...ports, ...more, settings: catalogs }) : null
  undo.defer(() => java?.close())
  return java
}

const adoptedIn = ({ servers }: Store, folders: ServerFolders): AdoptedServer[] =>
  servers
    .all()
    .flatMap(({ id, container }) => (container === null ? [] : { id, container, folder: folders.of(id) }))

const runtimeIn = (
  dataDir: string,
  epoch: number,
  { nodePath = '', engine = null }: Pick<ServiceOptions, 'nodePath' | 'engine'>,
  adopted: readonly AdoptedServer[],
  java: JavaSoftware | null,
  log: Logger,
): Promise<Runtime> =>
  createRuntime({
    dataDir,
    epoch,
    engine,
    adopted,
    software: [...(java?.kinds ?? []), demoSoftware(nodePath), scriptSoftware(nodePath)].filter(
      (kind) => kind !== null,
    ),
    log: log.child({ part: 'runtime' }),
  })

/** Null: no extensions. */
function extensionsIn(
  dataDir: string,
  { catalogs, resolveProxy }: Pick<ServiceOptions, 'catalogs' | 'resolveProxy'>,
  java: JavaSoftware | null,
  clock: Clock,
  undo: AsyncDisposableStack,
): ExtensionsPorts['catalogs'] {
  if (!catalogs || !java) return null
  const extensionCatalogs = new ExtensionCatalogs(
    path.join(dataDir, 'software/extensions'),
    catalogs,
    clock,
    {
      dispatcher: outbound(resolveProxy),
    },
  )
  undo.defer(() => extensionCatalogs.close())
  return { catalogs: extensionCatalogs, downloads: java.downloads }
}

const boundsOf = ({ bounds }: ServiceOptions): Bounds => ({ ...BOUNDS, ...bounds })

const appOptions = (options: ServiceOptions) => ({
  dataDir: options.dataDir,
  firstGamePort: options.firstGamePort,
  allowRegistration: options.allowRegistration ?? false,
  behindProxy: options.behindProxy ?? false,
  localSecret: options.localSecret ?? null,
  google: options.google ?? null,
  memoryPerAccount: options.memoryPerAccount ?? null,
  restic: options.restic ?? null,
  limits: options.limits,
  bounds: options.bounds,
  passwordCost: options.passwordCost,
  management: options.management,
  fileLimits: options.fileLimits,
  held: options.held,
})

/** Reconciles rows and folders, and logs problems. */
async function takeStock(
  dataDir: string,
  store: Store,
  folders: ServerFolders,
  log: Logger,
): Promise<StartupReport> {
  const { made, left } = await settle(store, folders, log)
  // Last: empty leftovers of an interrupted run are gone by then.
  const found = startupReport(dataDir, store, { made, left })
  for (const sentence of found.sentences) log.warn(sentence)
  return found
}

/** Returns servers given an empty folder, and undeletable leftovers, which never prevent a start. */
async function settle(
  store: Store,
  folders: ServerFolders,
  log: Logger,
): Promise<{ made: string[]; left: Leftover[] }> {
  const settled = folders.settle(store.servers.all().map(({ id }) => id))
  for (const serverId of settled.gone) store.servers.remove(serverId)
  if (settled.orphans.length > 0)
    log.warn({ folders: settled.orphans.slice(0, 20), count: settled.orphans.length }, 'folders of no server')
  const left = await settled.clear()
  for (const one of left) log.warn(aboutLeftover(one), 'files of a deleted server could not be deleted')
  return { made: settled.made, left }
}

/** Returns a stop function. */
function clearHourly(folders: ServerFolders): () => void {
  const timer = setInterval(() => void folders.clearLeftovers(), HOUR_MS).unref()
  return () => clearInterval(timer)
}

/** A second close waits for the first, and can only hurry it. */
function closeOnce(runtime: Runtime): (hurry: boolean) => Promise<void> {
  let closing: Promise<void> | null = null
  let hurried = false
  return (hurry) => {
    if (!closing || (hurry && !hurried)) {
      hurried ||= hurry
      closing = Promise.all([closing, runtime.close(hurry)]).then(() => {})
    }
    return closing
  }
}
