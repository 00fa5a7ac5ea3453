import type { DatabaseSync } from 'node:sqlite'
import { type Scope, SCOPES } from '../../contract/declarations/operation.ts'

export interface MemberRow {
  accountId: string
  name: string
  email: string | null
  scopes: readonly Scope[]
  since: number
}

interface MembershipRow {
  serverId: string
  serverName: string
  scopes: readonly Scope[]
  since: number
}

/** Addressed to an email, whose reader may accept it. */
export interface InvitationRow {
  id: string
  serverId: string
  email: string
  scopes: readonly Scope[]
  invitedBy: string
  createdAt: number
  expiresAt: number
}

interface OfferRow extends InvitationRow {
  serverName: string
  fromName: string
}

const INVITATION = `invitations.id AS id, server_id AS serverId, invitations.email AS email, scopes,
  invited_by AS invitedBy, invitations.created_at AS createdAt, expires_at AS expiresAt`

const MEMBER = 'account_id AS accountId, name, email, scopes, since'

export type SharingTable = ReturnType<typeof sharingTable>

export function sharingTable(db: DatabaseSync) {
  const held = db.prepare('SELECT scopes FROM members WHERE server_id = ? AND account_id = ?')
  const members = db.prepare(
    `SELECT ${MEMBER} FROM members JOIN accounts ON id = account_id WHERE server_id = ? ORDER BY since, account_id`,
  )
  const grant = db.prepare(
    `INSERT INTO members (server_id, account_id, scopes, since) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET scopes = excluded.scopes`,
  )
  const memberships = db.prepare(
    `SELECT server_id AS serverId, servers.name AS serverName, scopes, since FROM members
     JOIN servers ON servers.id = server_id WHERE account_id = ? ORDER BY since, server_id LIMIT ?`,
  )
  const removeMember = db.prepare('DELETE FROM members WHERE server_id = ? AND account_id = ?')

  const invitations = db.prepare(
    `SELECT ${INVITATION} FROM invitations WHERE server_id = ? ORDER BY created_at, id`,
  )
  const offers = db.prepare(
    `SELECT ${INVITATION}, servers.name AS serverName, accounts.name AS fromName
     FROM invitations JOIN servers ON servers.id = server_id JOIN accounts ON accounts.id = invited_by
     WHERE invitations.email = ? AND expires_at > ? AND invitations.id > ? ORDER BY invitations.id LIMIT ?`,
  )
  const invitation = db.prepare(`SELECT ${INVITATION} FROM invitations WHERE id = ?`)
  const invite = db.prepare(
    `INSERT INTO invitations (id, server_id, email, scopes, invited_by, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (server_id, email) DO UPDATE SET
     scopes = excluded.scopes, invited_by = excluded.invited_by, expires_at = excluded.expires_at
     RETURNING ${INVITATION}`,
  )
  const takeBack = db.prepare('DELETE FROM invitations WHERE id = ?')

  return {
    held(serverId: string, accountId: string): readonly Scope[] | null {
      const row = held.get(serverId, accountId)
      return row ? scopesIn(row['scopes']) : null
    },
    members: (serverId: string) => members.all(serverId).map(withScopes) as unknown as MemberRow[],
    /** At most `limit`, longest membership first. */
    memberships: (accountId: string, limit: number) =>
      memberships.all(accountId, limit).map(withScopes) as unknown as MembershipRow[],
    grant: (serverId: string, accountId: string, scopes: readonly Scope[], now: number) =>
      void grant.run(serverId, accountId, scopes.join(' '), now),
    removeMember: (serverId: string, accountId: string) =>
      removeMember.run(serverId, accountId).changes === 1,

    invitations: (serverId: string) =>
      invitations.all(serverId).map(withScopes) as unknown as InvitationRow[],
    /** At most `limit` open invitations of an address, with ids above `after`. */
    offers: (email: string, now: number, after: string, limit: number) =>
      offers.all(email, now, after, limit).map(withScopes) as unknown as OfferRow[],
    invitation(id: string): InvitationRow | null {
      const row = invitation.get(id)
      return row ? (withScopes(row) as unknown as InvitationRow) : null
    },
    /** An existing invitation of the address to this server is renewed and keeps its id. */
    invite: (i: InvitationRow) =>
      withScopes(
        invite.get(i.id, i.serverId, i.email, i.scopes.join(' '), i.invitedBy, i.createdAt, i.expiresAt)!,
      ) as unknown as InvitationRow,
    takeBack: (id: string) => takeBack.run(id).changes === 1,
  }
}

const withScopes = <Row extends Record<string, unknown>>(row: Row) => ({
  ...row,
  scopes: scopesIn(row['scopes']),
})

/** Scopes unknown to this version grant nothing. */
function scopesIn(kept: unknown): readonly Scope[] {
  const words = new Set(String(kept).split(' '))
  return SCOPES.filter((scope) => words.has(scope))
}
