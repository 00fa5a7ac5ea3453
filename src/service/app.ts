import type { Logger } from 'pino'
import { operations } from '../contract/areas/index.ts'
import type { Operation } from '../contract/areas/operation.ts'
import type { ServerAccess } from './access.ts'
import { createAccounts, type Accounts } from './areas/account/accounts.ts'
import { createLimiter, type AccountLimits } from './areas/account/limits.ts'
import type { LocalSecret } from './areas/account/local-secret.ts'
import type { Outbox } from './mail/mail.ts'
import { createPasswords, type PasswordCost } from './areas/account/passwords.ts'
import { BOUNDS, type Bounds } from './bounds/bounds.ts'
import { Gates } from './bounds/gates.ts'
import { mountPlayers } from './areas/players/routes.ts'
import type { AgeingClock } from './clock.ts'
import { allServerFiles, type FileLimitOptions } from './files/all-server-files.ts'
import type { JobRunner } from './files/jobs.ts'
import { FIRST_GAME_PORT } from './free-port.ts'
import { createHono } from './http.ts'
import { InFlight } from './in-flight.ts'
import { mountAccess } from './areas/access/routes.ts'
import { mountAccount } from './areas/account/routes.ts'
import { mountFileJobs } from './areas/files/jobs.ts'
import { mountFiles } from './areas/files/routes.ts'
import { mountConsole } from './areas/console/routes.ts'
import { mountPower } from './areas/servers/power.ts'
import { mountSoftware } from './areas/software/routes.ts'
import { mountServers } from './areas/servers/routes.ts'
import type { Runtime } from './runtime/types.ts'
import type { Phase, ServiceApp } from './serve.ts'
import type { ServerFolders } from './server-folders.ts'
import { ServerRegister } from './areas/servers/register.ts'
import type { Store } from './store/store.ts'
import { mountUploads } from './areas/files/uploads.ts'

export interface AppOptions {
  store: Store
  runtime: Runtime
  folders: ServerFolders
  outbox: Outbox
  clock: AgeingClock
  log: Logger
  /** Address the service listens on. */
  host: string
  /** Servers are given this port or the next free ones. Default: Minecraft's own. */
  firstGamePort?: number
  allowRegistration: boolean
  localSecret: LocalSecret | null
  phase: () => Phase
  /** Whether a reverse proxy on this computer says whom it asks for. */
  behindProxy?: boolean
  /** Default: no limits but the disk's. */
  fileLimits?: Partial<FileLimitOptions>
  limits?: AccountLimits
  bounds?: Partial<Bounds>
  passwordCost?: PasswordCost
  /** What accounts hold at servers. Default: their owner everything, others what was granted. */
  held?: ServerAccess['held']
}

export interface App {
  hono: ReturnType<typeof createHono>
  accounts: Accounts
  /** Lets go of what is not needed while nothing is asked. */
  rest(): void
  /** Ends what goes on behind the requests: jobs on files, hashing. */
  close(): Promise<void>
}

/** Reads of which something can be kept that somebody saw of a server. */
const OF_A_SERVER = operations
  .filter(({ id, kind, path }) => kind === 'read' && (path.includes(':serverId') || id === 'servers.list'))
  .map(({ id }) => id)

/** Reads whose answers are old after a write. */
const staleAfter = ({ stale, puts }: Operation) => [...stale, ...(puts === null ? [] : [puts])]

/** The owner of a server holds everything there, others what was granted. */
const heldIn =
  ({ sharing }: Store): ServerAccess['held'] =>
  (accountId, server) =>
    server.ownerId === accountId ? 'owner' : sharing.held(server.id, accountId)

const filesOfServers = ({ folders, runtime, fileLimits }: AppOptions) =>
  allServerFiles({
    folders,
    running: (serverId) => !runtime.isDown(serverId),
    maxFileBytes: null,
    quotaBytes: null,
    ...fileLimits,
  })

/** Ends what somebody has under way at a server and may not do any more. */
function endWhatIsLost(app: ServiceApp, jobs: Pick<JobRunner, 'endOf'>, serverId: string, accountId: string) {
  app.inFlight.recheck(serverId)
  const server = app.access.byId(serverId)
  const held = server && app.access.held(accountId, server)
  if (held !== 'owner' && !held?.includes('files.write')) jobs.endOf(serverId, accountId)
}

/** Puts the areas together into one HTTP app, and tells the runtime of the servers there are. */
export function createApp(options: AppOptions): App {
  const { store, runtime, folders, clock, log, host, firstGamePort = FIRST_GAME_PORT } = options
  const limiter = createLimiter(options.limits)
  const accounts = createAccounts({
    store,
    clock,
    log,
    limiter,
    passwords: createPasswords(options.passwordCost),
    outbox: options.outbox,
    signInsEnded(accountId) {
      runtime.recheckStreams(accountId)
      app.inFlight.recheckAll()
    },
  })
  const app: ServiceApp = {
    handlers: new Map(),
    below: new Map(),
    log,
    gates: new Gates({ ...BOUNDS, ...options.bounds }),
    phase: options.phase,
    behindProxy: options.behindProxy ?? false,
    authenticate: (token, from) => accounts.authenticate(token, from),
    askSecondFactor: (caller, code) => accounts.secondFactors.ask(caller, code),
    access: {
      byId: (serverId) => store.servers.byId(serverId),
      held: options.held ?? heldIn(store),
      isGoing: (serverId) => register.isGoing(serverId),
    },
    inFlight: new InFlight(),
    wrote({ op, serverId, by, refused }) {
      if (refused === null) runtime.tellChanged(serverId, staleAfter(op), by.tokenHash)
    },
  }
  const { allowRegistration, localSecret } = options
  mountAccount(app, { accounts, limiter, allowRegistration, localSecret })
  const files = filesOfServers(options)
  const register = new ServerRegister({
    store,
    runtime,
    folders,
    clock,
    log,
    host,
    firstGamePort,
    most: app.gates.bounds.servers,
    letGo: async (serverId) => void (await Promise.all([uploads.breakOff(serverId), jobs.endAll(serverId)])),
    forgetFiles(serverId) {
      files.forget(serverId)
      players.forget(serverId)
    },
  })
  mountFiles(app, { all: files, clock, serverIds: store.servers.all().map((row) => row.id) })
  const uploads = mountUploads(app, {
    files,
    clock,
    serverIds: () => store.servers.all().map((row) => row.id),
    isThere: (serverId) => store.servers.byId(serverId) !== null,
  })
  const jobs = mountFileJobs(app, { files, clock, log, tell: (id, job) => runtime.tellJob(id, job) })
  mountAccess(app, limiter, {
    store,
    clock,
    outbox: options.outbox,
    standingChanged: (serverId, accountId) => {
      runtime.standingChanged(serverId, accountId, OF_A_SERVER)
      endWhatIsLost(app, jobs, serverId, accountId)
    },
    tellOthers: (serverId, by) => runtime.tellChanged(serverId, ['access.list'], by.tokenHash),
  })
  mountServers(app, { store, runtime, register, host })
  mountPower(app, runtime)
  mountConsole(app, runtime)
  mountSoftware(app, runtime)
  const players = mountPlayers(app, { all: files, runtime, store, clock, log })
  const close = async () => void (await Promise.all([uploads.close(), jobs.close(), players.close()]))
  return { hono: createHono(app), accounts, rest: () => uploads.rest(), close }
}
