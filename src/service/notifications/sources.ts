import type { Logger } from 'pino'
import type { Held } from '../base/access.ts'
import { RequestLimiter } from '../http/limits/request-limiter.ts'
import type { RuntimeStatusIn } from '../runtime/types.ts'
import type { ServerWrite } from '../http/serve.ts'
import type { Leftover } from '../files/server-folders.ts'
import type { ServerRow } from '../store/servers.ts'
import type { InvitationRow } from '../store/sharing.ts'
import type { Store } from '../store/store.ts'
import type { NotificationKind } from '../../contract/areas/notifications.ts'
import type { Notifications, Told } from './notifications.ts'

/**
 * What one server tells of one kind: a few at once, and after that one in ten minutes. A server that crashes in a loop, or
 * that somebody starts and stops, or fills and empties, all day, pushes nothing else out of anybody's list.
 */
const OF_A_SERVER = { burst: 10, perSecond: 1 / 600 }

export interface SourcesOptions {
  store: Pick<Store, 'accounts' | 'servers' | 'sharing'>
  notifications: Pick<Notifications, 'tell'>
  /** What an account holds at a server. */
  held: (accountId: string, server: ServerRow) => Held
  /** Whether a console command ends the server's program. */
  stops: (serverId: string, command: string) => boolean
  /** A clock in milliseconds that never jumps. */
  elapsed: () => number
  log: Logger
}

/** The one place where notifications come from: what the service does is told here, and who is to know is found here. */
export class NotificationSources {
  readonly #options: SourcesOptions
  readonly #gates: Pick<RequestLimiter, 'spend'>

  constructor(options: SourcesOptions) {
    this.#options = options
    const rates = { crash: OF_A_SERVER, start: OF_A_SERVER, stop: OF_A_SERVER, disk: OF_A_SERVER }
    this.#gates = new RequestLimiter({ rates } as never, options.elapsed)
  }

  /** The status of a server has changed. A server that was found ended when the service began has no status that changes. */
  status(serverId: string, { status, exitCode }: RuntimeStatusIn): void {
    if (status === 'crashed') this.#tellReaders(serverId, 'crash', { exitCode: exitCode ?? null })
  }

  /** Somebody has asked for a write of a server. Who did it is not told of it. */
  wrote({ op, serverId, by, body, refused }: ServerWrite): void {
    if (refused !== null) return
    const action = actionOf(op.id, body, (command) => this.#options.stops(serverId, command))
    if (action === null) return
    const name = this.#options.store.accounts.byId(by.accountId)?.name ?? ''
    const kind = action === 'start' ? 'start' : 'stop'
    this.#tellReaders(serverId, kind, { by: name, action }, by.accountId)
  }

  /** Somebody was invited, or again. */
  offered(email: string, invitation: InvitationRow): void {
    const { store, notifications } = this.#options
    const account = store.accounts.byEmail(email)
    // Only who has confirmed the address reads its mail.
    if (!account?.confirmedAt) return
    const by = store.accounts.byId(invitation.invitedBy)?.name ?? ''
    const server = store.servers.byId(invitation.serverId)?.name ?? ''
    notifications.tell(account.id, {
      kind: 'invitation',
      invitationId: invitation.id,
      values: { by, server },
    })
  }

  /** An account was signed in to from an address that it was not known at. */
  signedInAnew(accountId: string, { device, address }: { device: string; address: string }): void {
    this.#options.notifications.tell(accountId, { kind: 'sign-in', values: { device, address } })
  }

  /** A server has nearly used up what it may hold. */
  nearlyFull(serverId: string, usedBytes: number, limitBytes: number): void {
    this.#tellReaders(serverId, 'disk', { usedBytes, limitBytes })
  }

  /** The disk that all servers lie on is nearly full: those who have any are told, once each. */
  diskNearlyFull(freeBytes: number): void {
    const { store, notifications } = this.#options
    for (const accountId of new Set(store.servers.all().map(({ ownerId }) => ownerId)))
      notifications.tell(accountId, { kind: 'disk', values: { freeBytes } })
  }

  /** An account deleted a server: tells it about files that are left. */
  filesLeft(accountId: string, server: string, left: Leftover | null): void {
    if (!left) return
    const values = { server, folder: left.folder }
    this.#options.notifications.tell(accountId, { kind: 'leftovers', values })
  }

  /** Everybody who has something to do with a server. */
  peopleOf(serverId: string): string[] {
    const { store, held } = this.#options
    const server = store.servers.byId(serverId)
    if (!server) return []
    const members = store.sharing.members(serverId).map(({ accountId }) => accountId)
    return [...new Set([server.ownerId, ...members])].filter((accountId) => held(accountId, server))
  }

  /** Never throws: a server that crashes, or an answer to who did something, does not fail because nobody could be told. */
  #tellReaders(serverId: string, kind: NotificationKind, values: Told['values'], except?: string): void {
    try {
      this.#tellAll(serverId, kind, values, except)
    } catch (error) {
      this.#options.log.warn({ err: error, serverId, kind }, 'nobody could be told of it')
    }
  }

  #tellAll(serverId: string, kind: NotificationKind, values: Told['values'], except?: string): void {
    const { store, notifications } = this.#options
    const people = this.peopleOf(serverId).filter((accountId) => accountId !== except)
    if (people.length === 0 || !this.#mayTell(serverId, kind)) return
    const server = store.servers.byId(serverId)?.name ?? ''
    for (const accountId of people)
      notifications.tell(accountId, { kind, serverId, values: { server, ...values } })
  }

  #mayTell(serverId: string, kind: NotificationKind): boolean {
    try {
      this.#gates.spend(serverId, kind)
      return true
    } catch {
      return false
    }
  }
}

/** What a write does to a running server that others are to know; null: nothing of that. */
function actionOf(id: string, body: unknown, stops: (command: string) => boolean): string | null {
  const { action, command } = (body ?? {}) as { action?: string; command?: string }
  if (id === 'servers.power') return action ?? null
  return id === 'console.command' && command !== undefined && stops(command) ? 'stop' : null
}
