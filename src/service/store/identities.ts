import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'

interface IdentityRow {
  issuer: string
  /** Permanent id at the provider. */
  subject: string
  /** Null: not recorded at linking. */
  email: string | null
  linkedAt: number
}

export type IdentitiesTable = ReturnType<typeof identitiesTable>

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
    accountOf: (issuer: string, subject: string) =>
      (accountOf.get(issuer, subject) as { accountId: string } | undefined)?.accountId ?? null,
    /** Replaces the account's identity of the same provider. */
    link: ({ issuer, subject, email, linkedAt }: IdentityRow, accountId: string) =>
      void link.run(issuer, subject, accountId, email, linkedAt),
    unlink: (accountId: string, { issuer, subject }: IdentityRow) =>
      void unlink.run(accountId, issuer, subject),
    unlinkAll: (accountId: string) => unlinkAll.all(accountId) as unknown as IdentityRow[],
    of: (accountId: string) => of.all(accountId) as unknown as IdentityRow[],
  }
}

/** Public id of an identity, safe for URLs. */
export const identityIdOf = ({ issuer, subject }: Pick<IdentityRow, 'issuer' | 'subject'>): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url')
    .slice(0, 22)
