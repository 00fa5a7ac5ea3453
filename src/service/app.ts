import type { Logger } from 'pino'
import { createAccounts, type Accounts } from './accounts/accounts.ts'
import { createLimiter, type AccountLimits } from './accounts/limits.ts'
import type { LocalSecret } from './accounts/local-secret.ts'
import type { Outbox } from './accounts/outbox.ts'
import { createPasswords, type PasswordCost } from './accounts/passwords.ts'
import type { Clock } from './clock.ts'
import { allServerFiles, type FileLimitOptions } from './files/all-server-files.ts'
import { FIRST_GAME_PORT } from './free-port.ts'
import { createHono } from './http.ts'
import { Refusal } from './refusal.ts'
import { mountAccount } from './routes/account.ts'
import { mountFileJobs } from './routes/file-jobs.ts'
import { mountFiles } from './routes/files.ts'
import { mountServers, specOf } from './routes/servers.ts'
import type { Runtime } from './runtime/types.ts'
import type { Phase, ServiceApp } from './serve.ts'
import type { ServerFolders } from './server-folders.ts'
import type { Store } from './store/store.ts'
import { mountUploads } from './uploads/mount.ts'

export interface AppOptions {
  store: Store
  runtime: Runtime
  folders: ServerFolders
  outbox: Outbox
  clock: Clock
  log: Logger
  /** Address the service listens on. */
  host: string
  /** Servers are given this port or the next free ones. Default: Minecraft's own. */
  firstGamePort?: number
  allowRegistration: boolean
  localSecret: LocalSecret | null
  phase: () => Phase
  /** Default: no limits but the disk's. */
  fileLimits?: Partial<FileLimitOptions>
  limits?: AccountLimits
  passwordCost?: PasswordCost
}

export interface App {
  hono: ReturnType<typeof createHono>
  accounts: Accounts
  /** Lets go of what is not needed while nothing is asked. */
  rest(): void
  /** Ends what goes on behind the requests: jobs on files, hashing. */
  close(): Promise<void>
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
  })
  const app: ServiceApp = {
    handlers: new Map(),
    log,
    phase: options.phase,
    authenticate: (token) => accounts.authenticate(token),
    requireServer(caller, serverId) {
      const row = store.servers.byId(serverId)
      if (row?.ownerId === caller.accountId) return row
      throw new Refusal(404, 'server.not-found', 'This server is not there, or it is not yours.')
    },
  }
  for (const row of store.servers.all()) runtime.add(specOf(row, folders, host))
  const { allowRegistration, localSecret } = options
  mountAccount(app, { accounts, limiter, allowRegistration, localSecret })
  const files = allServerFiles({
    folders,
    running: (serverId) => !['offline', 'crashed'].includes(String(runtime.status(serverId).status)),
    maxFileBytes: null,
    quotaBytes: null,
    ...options.fileLimits,
  })
  mountFiles(app, { all: files, clock, serverIds: store.servers.all().map((row) => row.id) })
  const uploads = mountUploads(app, {
    files,
    clock,
    serverIds: () => store.servers.all().map((row) => row.id),
  })
  const jobs = mountFileJobs(app, { files, clock, log, tell: (id, job) => runtime.tellJob(id, job) })
  const letGo = async (serverId: string) => {
    await Promise.all([uploads.drop(serverId), jobs.drop(serverId)])
    files.drop(serverId)
  }
  mountServers(app, { store, runtime, folders, clock, host, firstGamePort, letGo })
  runtime.mount(app)
  const close = async () => void (await Promise.all([uploads.close(), jobs.close()]))
  return { hono: createHono(app), accounts, rest: uploads.rest, close }
}
