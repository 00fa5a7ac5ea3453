import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { type Collaborator, COLLABORATORS_MAX, type Invitation } from '../../../contract/areas/access.ts'
import type { Scope } from '../../../contract/declarations/operation.ts'
import { RUNS_PROGRAMS } from '../../../contract/rules/scopes.ts'
import { type Clock, isoTime } from '../../base/clock.ts'
import type { Outbox } from '../mail/mail.ts'
import { refusal } from '../../../host/refusal.ts'
import type { Limiter } from '../../http/limits/limiter.ts'
import type { Caller } from '../../http/serve.ts'
import type { ServerRow } from '../../store/servers.ts'
import type { InvitationRow, MemberRow } from '../../store/sharing.ts'
import type { Store } from '../../store/store.ts'
import { INVITATION_MS, invitationMail } from './mails.ts'
import { countInvitation, requireGrantable, requireMayChange, scopesOf, type Sharer } from './rules.ts'

export interface SharingParts {
  store: Pick<Store, 'accounts' | 'servers' | 'sharing' | 'inOneStep'>
  clock: Clock
  outbox: Outbox
  limiter: Limiter
  standingChanged: (serverId: string, accountId: string) => void
  offered: (email: string, invitation: InvitationRow) => void
}

type CollaboratorInput = z.input<typeof Collaborator>

/** Checks happen in the same step as the write. */
export class Sharing {
  readonly #parts: SharingParts

  constructor(parts: SharingParts) {
    this.#parts = parts
  }

  list(server: ServerRow, accountId: string): CollaboratorInput[] {
    const { accounts, sharing } = this.#parts.store
    const owner = accounts.byId(server.ownerId)
    const first: CollaboratorInput = {
      id: server.ownerId,
      name: owner?.name ?? null,
      email: owner?.email ?? null,
      role: 'owner',
      state: 'active',
      since: isoTime(server.createdAt),
      you: server.ownerId === accountId,
    }
    const members = sharing.members(server.id).map((row) => memberView(row, accountId))
    return [first, ...members, ...sharing.invitations(server.id).map((row) => this.#view(row))]
  }

  /**
   * Inviting again sends another mail and updates the scopes. Throws 403, 409 `access.already-shared`,
   * `access.too-many`, 429, 503 if mail is unavailable.
   * @param again checks access again and returns the inviter's scopes
   */
  async invite(
    server: ServerRow,
    sharer: Sharer,
    wish: { email: string; scopes: readonly string[] },
    again: () => Sharer,
  ): Promise<CollaboratorInput> {
    const { store, clock, outbox, limiter } = this.#parts
    const scopes = scopesOf(wish.scopes)
    requireGrantable(sharer, scopes)
    this.#requireNew(server, wish.email)
    countInvitation(limiter, sharer.accountId, wish.email)
    await outbox.ready()
    const row = store.inOneStep(() => {
      const now = again()
      requireGrantable(now, scopes)
      this.#requireNew(server, wish.email)
      const open = store.sharing.invitations(server.id)
      const before = open.find(({ email }) => email === wish.email)
      if (before) requireMayChange(now, before)
      else if (open.length + store.sharing.members(server.id).length >= COLLABORATORS_MAX) throw tooMany()
      return store.sharing.invite({
        id: randomUUID(),
        serverId: server.id,
        email: wish.email,
        scopes,
        invitedBy: now.accountId,
        createdAt: clock.now(),
        expiresAt: clock.now() + INVITATION_MS,
      })
    })
    this.#parts.offered(wish.email, row)
    const by = store.accounts.byId(sharer.accountId)
    const to = store.accounts.byEmail(wish.email)
    const offer = {
      from: by?.name ?? '',
      server: server.name,
      runsPrograms: scopes.some((scope) => RUNS_PROGRAMS.has(scope)),
      language: to?.language ?? by?.language ?? null,
    }
    await outbox.send(invitationMail(wish.email, offer))
    return this.#view(row)
  }

  /** Throws 403, 404 `access.not-found`. */
  change(server: ServerRow, sharer: Sharer, id: string, wished: readonly string[]): CollaboratorInput {
    const { store, clock, standingChanged } = this.#parts
    const scopes = scopesOf(wished)
    const shown = store.inOneStep(() => {
      const found = this.#find(server, sharer, id)
      requireGrantable(sharer, scopes)
      if ('accountId' in found) {
        store.sharing.grant(server.id, id, scopes, clock.now())
        this.#takeBackBeyond(server, id, scopes)
        return memberView({ ...found, scopes }, sharer.accountId)
      }
      return this.#view(store.sharing.invite({ ...found, scopes, invitedBy: sharer.accountId }))
    })
    standingChanged(server.id, id)
    return shown
  }

  /** Throws 403, 404 `access.not-found`. */
  remove(server: ServerRow, sharer: Sharer, id: string): void {
    const { store, standingChanged } = this.#parts
    store.inOneStep(() => {
      const found = this.#find(server, sharer, id)
      if ('accountId' in found) this.#end(server, id)
      else store.sharing.takeBack(id)
    })
    standingChanged(server.id, id)
  }

  /** Throws 409 `access.owner`. */
  leave(server: ServerRow, accountId: string): void {
    const { store, standingChanged } = this.#parts
    if (server.ownerId === accountId) throw refusal(409, 'access.owner.leave')
    store.inOneStep(() => this.#end(server, accountId))
    standingChanged(server.id, accountId)
  }

  /** Matched by the account's confirmed address. */
  offers(accountId: string, after: string, limit: number): z.input<typeof Invitation>[] {
    const { store, clock } = this.#parts
    const email = this.#addressOf(accountId)
    if (email === null) return []
    return store.sharing.offers(email, clock.now(), after, limit).map((row) => ({
      id: row.id,
      server: { id: row.serverId, name: row.serverName },
      from: row.fromName,
      scopes: [...row.scopes],
      expiresAt: isoTime(row.expiresAt),
    }))
  }

  /** Returns the server's id. Throws 404 `access.not-found`. */
  answer({ accountId }: Caller, id: string, accept: boolean): string {
    const { store, clock, standingChanged } = this.#parts
    const { serverId } = store.inOneStep(() => {
      const found = store.sharing.invitation(id)
      const isMine = found !== null && found.email === this.#addressOf(accountId)
      if (!isMine || found.expiresAt <= clock.now()) throw refusal(404, 'access.not-found.invitation')
      store.sharing.takeBack(id)
      const isOwner = store.servers.byId(found.serverId)?.ownerId === accountId
      if (accept && !isOwner) store.sharing.grant(found.serverId, accountId, found.scopes, clock.now())
      return found
    })
    standingChanged(serverId, accountId)
    return serverId
  }

  nameOf({ id: serverId }: ServerRow, id: string): string[] {
    const { sharing } = this.#parts.store
    const member = sharing.members(serverId).find(({ accountId }) => accountId === id)
    const name = member?.name ?? sharing.invitations(serverId).find((one) => one.id === id)?.email
    return name ? [name] : []
  }

  #find(server: ServerRow, sharer: Sharer, id: string): MemberRow | InvitationRow {
    const { sharing } = this.#parts.store
    if (id === server.ownerId) throw refusal(409, 'access.owner')
    const member = sharing.members(server.id).find(({ accountId }) => accountId === id)
    const found = member ?? sharing.invitations(server.id).find((one) => one.id === id)
    if (!found) throw refusal(404, 'access.not-found')
    requireMayChange(sharer, { id, scopes: found.scopes })
    return found
  }

  #requireNew(server: ServerRow, email: string): void {
    const { accounts, sharing } = this.#parts.store
    const has =
      accounts.byId(server.ownerId)?.email === email ||
      sharing.members(server.id).some((member) => member.email === email)
    if (!has) return
    throw refusal(409, 'access.already-shared').at('email')
  }

  #end(server: ServerRow, accountId: string): void {
    this.#parts.store.sharing.removeMember(server.id, accountId)
    this.#takeBackBeyond(server, accountId, [])
  }

  /** Withdraws invitations of a member beyond their remaining scopes. */
  #takeBackBeyond(server: ServerRow, accountId: string, holds: readonly Scope[]): void {
    const { sharing } = this.#parts.store
    for (const { id, invitedBy, scopes } of sharing.invitations(server.id)) {
      const mayOffer = holds.includes('access.write') && scopes.every((scope) => holds.includes(scope))
      if (invitedBy === accountId && !mayOffer) sharing.takeBack(id)
    }
  }

  /** Only confirmed: an unconfirmed account may not own the mailbox. */
  #addressOf(accountId: string): string | null {
    const account = this.#parts.store.accounts.byId(accountId)
    return account?.confirmedAt ? account.email : null
  }

  #view({ id, email, scopes, createdAt, expiresAt }: InvitationRow): CollaboratorInput {
    return {
      id,
      email,
      role: [...scopes],
      state: expiresAt > this.#parts.clock.now() ? 'invited' : 'expired',
      since: isoTime(createdAt),
      expiresAt: isoTime(expiresAt),
    }
  }
}

const memberView = (
  { accountId, name, email, scopes, since }: MemberRow,
  caller: string,
): CollaboratorInput => ({
  id: accountId,
  name,
  email,
  role: [...scopes],
  state: 'active',
  since: isoTime(since),
  you: accountId === caller,
})

const tooMany = () => refusal(409, 'access.too-many', { most: COLLABORATORS_MAX })
