import path from 'node:path'
import type { Logger } from 'pino'
import { BASE_PATH } from '../contract/areas/index.ts'
import type { ServerAccess } from './base/access.ts'
import type { Accounts } from './areas/account/accounts.ts'
import type { GoogleSettings } from './areas/account/google/settings.ts'
import type { AccountLimits } from './areas/account/sign-in/limits.ts'
import type { LocalSecret } from './areas/account/local-secret.ts'
import type { PasswordCost } from './areas/account/sign-in/passwords.ts'
import { ExtensionCatalogs } from './extensions/catalogs/extension-catalogs.ts'
import type { ExtensionsPorts } from './areas/extensions/extensions.ts'
import { createApp } from './app.ts'
import { BOUNDS, type Bounds } from './http/limits/bounds.ts'
import { ageingClock, systemClock, type Clock } from './base/clock.ts'
import type { FileLimitOptions } from './files/all-server-files.ts'
import { prepareServiceFolder } from './base/service-folder.ts'
import type { AllServerFiles } from './files/all-server-files.ts'
import { demoSoftware } from './software/demo/demo.ts'
import { scriptSoftware } from './software/script-software.ts'
import { InstalledRecords } from './software/installed.ts'
import {
  openJavaSoftware,
  type JavaSoftware,
  type JavaSoftwareOptions,
} from './software/open-java-software.ts'
import type { CatalogueSettings } from './software/catalogues/settings.ts'
import { outbound, type ResolveProxy } from './software/downloads/outbound.ts'
import { listen, type Tls } from './http/listener.ts'
import { lockFolder } from '../host/folder-lock.ts'
import { collectGarbage, onIdle } from '../host/idle.ts'
import { openLog } from './base/log.ts'
import { folderOutbox, takeWaiting } from './mail/folder-outbox.ts'
import type { Outbox } from './mail/mail.ts'
import { SmtpOutbox } from './mail/smtp-outbox.ts'
import type { SmtpSettings } from './mail/smtp-settings.ts'
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
  /** 0: any free one. */
  port?: number
  /** Game servers are given this port or the next free ones. Default: Minecraft's own. */
  firstGamePort?: number
  tls?: Tls | null
  allowRegistration?: boolean
  /** A reverse proxy on this computer says in `X-Forwarded-For` whom it asks for. */
  behindProxy?: boolean
  /** Where the parent's secret is held; absent: nobody signs in as the local owner. */
  localSecret?: LocalSecret | null
  /** The mail server that mail is handed to; absent: it stays in a folder. */
  smtp?: SmtpSettings | null
  /** The identity provider people may sign in with; absent: none. */
  google?: GoogleSettings | null
  /** Where server software is fetched from; absent: only what is here already is offered. */
  catalogues?: CatalogueSettings | null
  /** How the system of whoever started this reaches an address; absent: nobody says. */
  resolveProxy?: ResolveProxy | undefined
  /** The Node executable game servers are started with; empty where there is none. */
  nodePath?: string
  verbose?: boolean
  /** Puts the newest own copy of the database back where the database cannot be read. */
  restoreBackup?: boolean
  clock?: Clock
  /** MiB of memory that the servers of one account may have together. Default: no limit. */
  memoryPerAccount?: number | null
  limits?: AccountLimits
  /** Other than `BOUNDS`, for tests. */
  bounds?: Partial<Bounds>
  /** Limits of every server's folder. Default: none but the disk's. */
  fileLimits?: Partial<FileLimitOptions>
  passwordCost?: PasswordCost
  management?: LinkTuning
  /** What accounts hold at servers, for tests. Default: their owner everything, nobody else anything. */
  held?: ServerAccess['held']
}

export interface RunningService {
  /** Ends in `/api/v1`. */
  baseUrl: string
  dataDir: string
  /** Folder mail is written to, or waits in for the mail server. */
  outboxDir: string
  log: Logger
  accounts: Accounts
  /** What a person should know about the data folder. */
  found: StartupReport
  /** Has the next start start the servers that run now. Throws where that cannot be noted. */
  startAgain(): void
  /** Stops the game servers, then everything else. Called again with `hurry`, it no longer waits for worlds. */
  close(hurry?: boolean): Promise<void>
}

/** How long answers under way may take when the service closes, in milliseconds. */
const GRACE_MS = 2000
/** How long a service that a panel started waits for the one before it, in milliseconds. The panel waits for 60 s. */
const HELD_MS = 50_000
const HOUR_MS = 60 * 60 * 1000

/** Starts the service. Throws StartProblem with a sentence for people; then nothing is left open. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { host = '127.0.0.1', port = 0, tls = null } = options
  const undo = new AsyncDisposableStack()
  try {
    const dataDir = prepareServiceFolder(options.dataDir)
    // The service of a panel that crashed still saves its worlds when the next panel starts this one.
    const patienceMs = options.localSecret ? HELD_MS : 0
    const lock = await lockFolder(dataDir, 'service', { patienceMs })
    undo.defer(() => lock.release())
    const logFile = openLog(dataDir, options.verbose ?? false)
    const log = logFile.logger
    undo.defer(() => logFile.close())
    const store = await storeIn(dataDir, options, log)
    undo.defer(() => store.close())
    const clock = ageingClock(options.clock ?? systemClock, store.seenTime)
    undo.defer(() => clock.stop())
    const folders = serverFolders(dataDir)
    const found = await takeStock(dataDir, store, folders, log)
    undo.defer(clearHourly(folders))
    // The routes make them, from what the runtime says: before that it is asked for nothing.
    let files: Pick<AllServerFiles, 'of'> | null = null
    const records = new InstalledRecords(path.join(dataDir, 'software', 'installed'))
    const filesOf: AllServerFiles['of'] = (id) => files!.of(id)
    const java = await javaIn({ dataDir, clock, filesOf, records, log }, store, options, undo)
    const runtime = await runtimeIn(dataDir, store.epoch, options, java, log)
    const stopRuntime = closeOnce(runtime)
    undo.defer(() => stopRuntime(true))
    let phase: Phase = 'running'
    let origin = ''
    const outboxDir = path.join(dataDir, 'outbox')
    const outbox = await outboxIn(outboxDir, options, clock, log, undo)
    const { hono, accounts, ...app } = createApp({
      ...appOptions(options),
      ...{ store, runtime, records, folders, outbox, clock, log, host },
      phase: () => phase,
      origin: () => origin,
      ...(java && { fetched: java.fetched, javas: java.javas }),
      extensions: extensionsIn(dataDir, options, java, clock, undo),
    })
    files = app.files
    undo.defer(() => app.close())
    undo.defer(() => accounts.settled())
    const listener = await listen(host, port, tls, hono.fetch, { ...BOUNDS, ...options.bounds })
    undo.defer(() => listener.close(GRACE_MS))
    origin = listener.origin
    undo.defer(onIdle(() => restOf(app)))
    log.info({ origin: listener.origin, epoch: store.epoch }, 'listening')
    runtime.startMarked(await takeNoted(dataDir))
    app.resume()

    // From here on it runs; closing takes the same steps back, game servers first and without hurry.
    const steps = undo.move()
    let closing: Promise<void> | null = null
    return {
      baseUrl: listener.origin + BASE_PATH,
      dataDir,
      outboxDir,
      log,
      accounts,
      found,
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
    // What keeps it from starting is what has to be told, not what went wrong in clearing up after it.
    await undo.disposeAsync().catch(() => undefined)
    throw error
  }
}

function restOf(app: { rest(): void }): void {
  app.rest()
  collectGarbage()
}

/** Opens the database of a data folder. */
const storeIn = (dataDir: string, options: ServiceOptions, log: Logger): Promise<Store> =>
  openStore(path.join(dataDir, 'service.db'), {
    clock: options.clock ?? systemClock,
    restore: options.restoreBackup ?? false,
    onRemoved(sentence) {
      log.error(sentence)
      process.stderr.write(`${sentence}\n`)
    },
    onCopyFailed: (error) => log.warn({ err: error }, 'the database could not be copied'),
  })

/** Where mail goes: to the mail server that is given, else it stays in the folder. */
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

/** The software that may be fetched for game servers; null: only what is here already is offered. */
async function javaIn(
  ports: Omit<JavaSoftwareOptions, 'settings' | 'gamePorts' | 'dispatcher'>,
  { servers }: Store,
  { catalogues, resolveProxy }: Pick<ServiceOptions, 'catalogues' | 'resolveProxy'>,
  undo: AsyncDisposableStack,
): Promise<JavaSoftware | null> {
  const more = { gamePorts: () => servers.ports(), dispatcher: outbound(resolveProxy) }
  const java = catalogues ? await openJavaSoftware({ ...ports, ...more, settings: catalogues }) : null
  undo.defer(() => java?.close())
  return java
}

/** What runs the game servers. */
const runtimeIn = (
  dataDir: string,
  epoch: number,
  { nodePath = '' }: Pick<ServiceOptions, 'nodePath'>,
  java: JavaSoftware | null,
  log: Logger,
): Promise<Runtime> =>
  createRuntime({
    dataDir,
    epoch,
    software: [...(java?.kinds ?? []), demoSoftware(nodePath), scriptSoftware(nodePath)].filter(
      (kind) => kind !== null,
    ),
    log: log.child({ part: 'runtime' }),
  })

/** Where extensions come from; null: from nowhere. */
function extensionsIn(
  dataDir: string,
  { catalogues, resolveProxy }: Pick<ServiceOptions, 'catalogues' | 'resolveProxy'>,
  java: JavaSoftware | null,
  clock: Clock,
  undo: AsyncDisposableStack,
): ExtensionsPorts['catalogs'] {
  if (!catalogues || !java) return null
  const catalogs = new ExtensionCatalogs(path.join(dataDir, 'software/extensions'), catalogues, clock, {
    dispatcher: outbound(resolveProxy),
  })
  undo.defer(() => catalogs.close())
  return { catalogs, downloads: java.downloads }
}

/** What of the options the routes are to know. */
const appOptions = (options: ServiceOptions) => ({
  dataDir: options.dataDir,
  firstGamePort: options.firstGamePort,
  allowRegistration: options.allowRegistration ?? false,
  behindProxy: options.behindProxy ?? false,
  localSecret: options.localSecret ?? null,
  google: options.google ?? null,
  memoryPerAccount: options.memoryPerAccount ?? null,
  limits: options.limits,
  bounds: options.bounds,
  passwordCost: options.passwordCost,
  management: options.management,
  fileLimits: options.fileLimits,
  held: options.held,
})

/** Brings rows and folders into agreement, and logs what a person should know about them. */
async function takeStock(
  dataDir: string,
  store: Store,
  folders: ServerFolders,
  log: Logger,
): Promise<StartupReport> {
  const { made, left } = await settle(store, folders, log)
  // Afterwards: what a run that was cut off left empty is no folder of a lost server, and is gone by now.
  const found = startupReport(dataDir, store, { made, left })
  for (const sentence of found.sentences) log.warn(sentence)
  return found
}

/**
 * A run that ended in the middle of creating or deleting left something behind: rows and folders agree after this. Answers
 * which servers had no folder and were given an empty one, and what could not be deleted. Leftovers never stop a start.
 */
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

/** Retries deleting leftovers. Returns a function that stops it. */
function clearHourly(folders: ServerFolders): () => void {
  const timer = setInterval(() => void folders.clearLeftovers(), HOUR_MS).unref()
  return () => clearInterval(timer)
}

/** Closing the runtime twice waits for the first; the second may only make it hurry. */
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
