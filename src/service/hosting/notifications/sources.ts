import type { Logger } from 'pino'
import type { GrantedScopes } from '../../base/access.ts'
import { Counter } from '../../../host/counter.ts'
import type { RuntimeStatusInput } from '../../runtime/types.ts'
import type { ServerWrite } from '../../http/serve.ts'
import type { Leftover } from '../../files/server-folders.ts'
import type { ServerRow } from '../../store/servers.ts'
import type { InvitationRow } from '../../store/sharing.ts'
import type { Store } from '../../store/store.ts'
import type { NotificationKind } from '../../../contract/areas/notifications.ts'
import type { Notifications, NotificationDraft } from './notifications.ts'

/** Per server and kind: a server that crashes in a loop can't flood anyone's list. */
const OF_A_SERVER = { burst: 10, perSecond: 1 / 600 }

export interface SourcesOptions {
  store: Pick<Store, 'accounts' | 'servers' | 'sharing'>
  notifications: Pick<Notifications, 'tell'>
  held: (accountId: string, server: ServerRow) => GrantedScopes
  stops: (serverId: string, command: string) => boolean
  elapsed: () => number
  log: Logger
}

/** Decides who is notified of what the service does. */
export class NotificationSources {
  readonly #options: SourcesOptions
  readonly #counter: Counter

  constructor(options: SourcesOptions) {
    this.#options = options
    this.#counter = new Counter(OF_A_SERVER, options.elapsed)
  }

  /** Servers found stopped at startup cause no status change. */
  status(serverId: string, { status, exitCode }: RuntimeStatusInput): void {
    if (status === 'crashed') this.#tellReaders(serverId, 'crash', { exitCode: exitCode ?? null })
  }

  /** `target`: the backup was made, and not copied there. */
  backupFailed(serverId: string, target?: string): void {
    this.#tellReaders(serverId, 'backup', target === undefined ? {} : { target })
  }

  backupOverdue(serverId: string): void {
    this.#tellReaders(serverId, 'backup', { action: 'overdue' })
  }

  /** A write was requested. Not reported to whoever did it. */
  wrote({ op, serverId, by, body, refused }: ServerWrite): void {
    if (refused !== null) return
    const action = actionOf(op.id, body, (command) => this.#options.stops(serverId, command))
    if (action === null) return
    const name = this.#options.store.accounts.byId(by.accountId)?.name ?? ''
    const kind = action === 'start' ? 'start' : 'stop'
    this.#tellReaders(serverId, kind, { by: name, action }, by.accountId)
  }

  offered(email: string, invitation: InvitationRow): void {
    const { store, notifications } = this.#options
    const account = store.accounts.byEmail(email)
    // Invitations are shown only for confirmed addresses.
    if (!account?.confirmedAt) return
    const by = store.accounts.byId(invitation.invitedBy)?.name ?? ''
    const server = store.servers.byId(invitation.serverId)?.name ?? ''
    notifications.tell(account.id, {
      kind: 'invitation',
      invitationId: invitation.id,
      values: { by, server },
    })
  }

  signedInAnew(accountId: string, { device, address }: { device: string; address: string }): void {
    this.#options.notifications.tell(accountId, { kind: 'sign-in', values: { device, address } })
  }

  nearlyFull(serverId: string, usedBytes: number, limitBytes: number): void {
    this.#tellReaders(serverId, 'disk', { usedBytes, limitBytes })
  }

  /** Notifies every account with a server, once. */
  diskNearlyFull(freeBytes: number): void {
    const { store, notifications } = this.#options
    for (const accountId of new Set(store.servers.all().map(({ ownerId }) => ownerId)))
      notifications.tell(accountId, { kind: 'disk', values: { freeBytes } })
  }

  filesLeft(accountId: string, server: string, left: Leftover | null): void {
    if (!left) return
    const values = { server, folder: left.folder }
    this.#options.notifications.tell(accountId, { kind: 'leftovers', values })
  }

  /** Tells its author and the server's owner. */
  schedule(
    serverId: string,
    author: string,
    schedule: string,
    action: 'failed' | 'interrupted' | 'paused',
  ): void {
    const { store, notifications } = this.#options
    const server = store.servers.byId(serverId)
    if (!server || this.#counter.take(`${serverId} schedule`) > 0) return
    for (const accountId of new Set([server.ownerId, author]))
      notifications.tell(accountId, {
        ...{ kind: 'schedule', serverId, values: { server: server.name, schedule, action } },
      })
  }

  peopleOf(serverId: string): string[] {
    const { store, held } = this.#options
    const server = store.servers.byId(serverId)
    if (!server) return []
    const members = store.sharing.members(serverId).map(({ accountId }) => accountId)
    return [...new Set([server.ownerId, ...members])].filter((accountId) => held(accountId, server))
  }

  /** Never throws: failing to notify must not fail the cause. */
  #tellReaders(
    serverId: string,
    kind: NotificationKind,
    values: NotificationDraft['values'],
    except?: string,
  ): void {
    try {
      this.#tellAll(serverId, kind, values, except)
    } catch (error) {
      this.#options.log.warn({ err: error, serverId, kind }, 'nobody could be told of it')
    }
  }

  #tellAll(
    serverId: string,
    kind: NotificationKind,
    values: NotificationDraft['values'],
    except?: string,
  ): void {
    const { store, notifications } = this.#options
    const people = this.peopleOf(serverId).filter((accountId) => accountId !== except)
    if (people.length === 0 || this.#counter.take(`${serverId} ${kind}`) > 0) return
    const server = store.servers.byId(serverId)?.name ?? ''
    for (const accountId of people)
      notifications.tell(accountId, { kind, serverId, values: { server, ...values } })
  }
}

/** The part of a write worth reporting to others; null if none. */
function actionOf(id: string, body: unknown, stops: (command: string) => boolean): string | null {
  const { action, command } = (body ?? {}) as { action?: string; command?: string }
  if (id === 'servers.power') return action ?? null
  return id === 'console.command' && command !== undefined && stops(command) ? 'stop' : null
}
