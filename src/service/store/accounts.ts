import type { DatabaseSync } from 'node:sqlite'

export interface AccountRow {
  id: string
  /** Null: the local owner, who has no address. */
  email: string | null
  name: string
  /** Null: no password signs in. */
  passwordHash: string | null
  confirmedAt: number | null
  createdAt: number
}

/** What a code sent by mail is good for. */
export type CodePurpose = 'confirm' | 'reset'

export interface CodeRow {
  salt: string
  hash: string
  expiresAt: number
  triesLeft: number
}

/** Sign-ins of one account that are good at the same time: one for each of its devices, and many to spare. */
const TOKENS_MOST = 100

const ACCOUNT =
  'id, email, name, password_hash AS passwordHash, confirmed_at AS confirmedAt, created_at AS createdAt'

export type AccountsTable = ReturnType<typeof accountsTable>

/** Accounts, their tokens (by hash) and their codes (by hash). */
export function accountsTable(db: DatabaseSync) {
  const byId = db.prepare(`SELECT ${ACCOUNT} FROM accounts WHERE id = ?`)
  const byEmail = db.prepare(`SELECT ${ACCOUNT} FROM accounts WHERE email = ?`)
  const insert = db.prepare(
    `INSERT INTO accounts (id, email, name, password_hash, confirmed_at, created_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  )
  const setPassword = db.prepare('UPDATE accounts SET password_hash = ? WHERE id = ?')
  const confirm = db.prepare('UPDATE accounts SET confirmed_at = coalesce(confirmed_at, ?) WHERE id = ?')
  const count = db.prepare('SELECT count(*) AS count FROM accounts')

  const insertToken = db.prepare(
    'INSERT INTO tokens (hash, account_id, created_at, expires_at) VALUES (?, ?, ?, ?)',
  )
  const tokenOwner = db.prepare(
    'SELECT account_id AS accountId FROM tokens WHERE hash = ? AND expires_at > ?',
  )
  const deleteToken = db.prepare('DELETE FROM tokens WHERE hash = ?')
  const deleteTokens = db.prepare('DELETE FROM tokens WHERE account_id = ? AND hash <> ?')
  const deleteOldTokens = db.prepare(
    `DELETE FROM tokens WHERE account_id = ? AND rowid NOT IN
     (SELECT rowid FROM tokens WHERE account_id = ? ORDER BY created_at DESC, rowid DESC LIMIT ?)`,
  )
  const deleteExpired = db.prepare('DELETE FROM tokens WHERE expires_at <= ?')

  const putCode = db.prepare(
    `INSERT OR REPLACE INTO codes (account_id, purpose, salt, hash, expires_at, tries_left)
     VALUES (?, ?, ?, ?, ?, ?)`,
  )
  const useTry = db.prepare(
    `UPDATE codes SET tries_left = tries_left - 1 WHERE account_id = ? AND purpose = ? AND tries_left > 0
     RETURNING salt, hash, expires_at AS expiresAt, tries_left AS triesLeft`,
  )
  const deleteCode = db.prepare('DELETE FROM codes WHERE account_id = ? AND purpose = ?')

  return {
    byId: (id: string) => (byId.get(id) as AccountRow | undefined) ?? null,
    byEmail: (email: string) => (byEmail.get(email) as AccountRow | undefined) ?? null,
    count: () => Number(count.get()?.['count']),
    /** Adds an account; false where its id or its email is there already. */
    insert: (a: AccountRow) =>
      insert.run(a.id, a.email, a.name, a.passwordHash, a.confirmedAt, a.createdAt).changes === 1,
    setPassword: (id: string, hash: string | null) => void setPassword.run(hash, id),
    confirm: (id: string, now: number) => void confirm.run(now, id),

    /** Keeps a token. Of an account the newest ones are good: the oldest beyond that many ends. */
    insertToken: (hash: string, accountId: string, createdAt: number, expiresAt: number) => {
      insertToken.run(hash, accountId, createdAt, expiresAt)
      deleteOldTokens.run(accountId, accountId, TOKENS_MOST)
    },
    /** The account of a token that is still good at `now`. */
    tokenOwner: (hash: string, now: number) =>
      (tokenOwner.get(hash, now) as { accountId: string } | undefined)?.accountId ?? null,
    deleteToken: (hash: string) => void deleteToken.run(hash),
    /** Ends the sign-ins of an account, all but one where `except` names its hash. */
    deleteTokens: (accountId: string, except = '') => void deleteTokens.run(accountId, except),
    deleteExpiredTokens: (now: number) => void deleteExpired.run(now),

    /** Sets the one code of an account for a purpose; an older one is void. */
    putCode: (accountId: string, purpose: CodePurpose, code: CodeRow) =>
      void putCode.run(accountId, purpose, code.salt, code.hash, code.expiresAt, code.triesLeft),
    /** Takes one try and hands the code out for comparing; null where there is none or no try is left. */
    useTry: (accountId: string, purpose: CodePurpose) =>
      (useTry.get(accountId, purpose) as CodeRow | undefined) ?? null,
    deleteCode: (accountId: string, purpose: CodePurpose) => void deleteCode.run(accountId, purpose),
  }
}
