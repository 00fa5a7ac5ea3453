import type { DatabaseSync } from 'node:sqlite'

export type CodePurpose = 'confirm' | 'reset'

export interface CodeRow {
  /** Hash of the address group it was requested from. */
  askedBy: string
  salt: string
  hash: string
  expiresAt: number
  /** Only for the requester. */
  triesLeft: number
}

/** Expired codes are kept for a day so that users learn why they are refused. Milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000

const CODE = 'asked_by AS askedBy, salt, hash, expires_at AS expiresAt, tries_left AS triesLeft'

export type CodesTable = ReturnType<typeof codesTable>

/** Codes sent by mail (by hash): one per account, purpose and requester. */
export function codesTable(db: DatabaseSync) {
  const put = db.prepare(
    `INSERT OR REPLACE INTO codes (account_id, purpose, asked_by, salt, hash, expires_at, tries_left)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const deleteOld = db.prepare('DELETE FROM codes WHERE expires_at <= ?')
  const of = db.prepare(`SELECT ${CODE} FROM codes WHERE account_id = ? AND purpose = ? AND asked_by = ?`)
  const newest = db.prepare(
    `SELECT ${CODE} FROM codes WHERE account_id = ? AND purpose = ? ORDER BY rowid DESC LIMIT 1`,
  )
  const useTry = db.prepare(
    `UPDATE codes SET tries_left = tries_left - 1
     WHERE account_id = ? AND purpose = ? AND asked_by = ? AND tries_left > 0`,
  )
  const remove = db.prepare('DELETE FROM codes WHERE account_id = ? AND purpose = ?')

  const feign = db.prepare(
    `INSERT INTO meta (key, value) VALUES ('feigned-code', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  )

  return {
    /** Same work as `put` without an account, so that timing reveals nothing. */
    feign(code: CodeRow, now: number): void {
      deleteOld.run(now - KEPT_MS)
      feign.run(code.hash)
    },
    put(accountId: string, purpose: CodePurpose, code: CodeRow, now: number): void {
      deleteOld.run(now - KEPT_MS)
      put.run(accountId, purpose, code.askedBy, code.salt, code.hash, code.expiresAt, code.triesLeft)
    },
    of: (accountId: string, purpose: CodePurpose, askedBy: string) =>
      (of.get(accountId, purpose, askedBy) as CodeRow | undefined) ?? null,
    newest: (accountId: string, purpose: CodePurpose) =>
      (newest.get(accountId, purpose) as CodeRow | undefined) ?? null,
    useTry: (accountId: string, purpose: CodePurpose, askedBy: string) =>
      void useTry.run(accountId, purpose, askedBy),
    remove: (accountId: string, purpose: CodePurpose) => void remove.run(accountId, purpose),
  }
}
