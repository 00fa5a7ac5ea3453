import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'

export interface IdentityRow {
  issuer: string
  /** Who it is there, for ever. */
  subject: string
  /** As the provider told it when it was linked; null: nobody kept it. */
  email: string | null
  linkedAt: number
}

export type IdentitiesTable = ReturnType<typeof identitiesTable>

/** Who somebody is at an identity provider, and which account that signs in to. */
export function identitiesTable(db: DatabaseSync) {
  const accountOf = db.prepare(
    'SELECT account_id AS accountId FROM identities WHERE issuer = ? AND subject = ?',
  )
  const link = db.prepare(
    'INSERT OR REPLACE INTO identities (issuer, subject, account_id, email, linked_at) VALUES (?, ?, ?, ?, ?)',
  )
  const of = db.prepare(
    'SELECT issuer, subject, email, linked_at AS linkedAt FROM identities WHERE account_id = ? ORDER BY issuer',
  )
  const unlink = db.prepare('DELETE FROM identities WHERE account_id = ? AND issuer = ? AND subject = ?')
  const unlinkAll = db.prepare(
    'DELETE FROM identities WHERE account_id = ? RETURNING issuer, subject, email, linked_at AS linkedAt',
  )

  return {
    /** The account it signs in to; null where there is none. */
    accountOf: (issuer: string, subject: string) =>
      (accountOf.get(issuer, subject) as { accountId: string } | undefined)?.accountId ?? null,
    /** It signs in to this account from now on, in place of the one of this provider that did before. */
    link: ({ issuer, subject, email, linkedAt }: IdentityRow, accountId: string) =>
      void link.run(issuer, subject, accountId, email, linkedAt),
    /** Signs in to this account no more. */
    unlink: (accountId: string, { issuer, subject }: IdentityRow) =>
      void unlink.run(accountId, issuer, subject),
    /** Nothing signs in to this account any more; answers what did. */
    unlinkAll: (accountId: string) => unlinkAll.all(accountId) as unknown as IdentityRow[],
    of: (accountId: string) => of.all(accountId) as unknown as IdentityRow[],
  }
}

/** How an identity is named where anybody may see it in an address. */
export const identityIdOf = ({ issuer, subject }: Pick<IdentityRow, 'issuer' | 'subject'>): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url')
    .slice(0, 22)
