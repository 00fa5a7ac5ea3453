import type { Logger } from 'pino'
import { createAccounts, type Accounts } from './accounts/accounts.ts'
import { createLimiter, type AccountLimits } from './accounts/limits.ts'
import type { LocalSecret } from './accounts/local-secret.ts'
import type { Outbox } from './accounts/outbox.ts'
import { createPasswords, type PasswordCost } from './accounts/passwords.ts'
import type { Clock } from './clock.ts'
import { createHono } from './http.ts'
import { Refusal } from './refusal.ts'
import { mountAccount } from './routes/account.ts'
import { mountServers, specOf } from './routes/servers.ts'
import type { Runtime } from './runtime/types.ts'
import type { Phase, ServiceApp } from './serve.ts'
import type { ServerFolders } from './server-folders.ts'
import type { Store } from './store/store.ts'

export interface AppOptions {
  store: Store
  runtime: Runtime
  folders: ServerFolders
  outbox: Outbox
  clock: Clock
  log: Logger
  /** Address the service listens on. */
  host: string
  allowRegistration: boolean
  localSecret: LocalSecret | null
  phase: () => Phase
  limits?: AccountLimits
  passwordCost?: PasswordCost
}

/** Puts the areas together into one HTTP app, and tells the runtime of the servers there are. */
export function createApp(options: AppOptions): { hono: ReturnType<typeof createHono>; accounts: Accounts } {
  const { store, runtime, folders, clock, log, host } = options
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
  mountServers(app, { store, runtime, folders, clock, host })
  runtime.mount(app)
  return { hono: createHono(app), accounts }
}
