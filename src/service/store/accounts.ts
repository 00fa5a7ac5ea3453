import type { DatabaseSync } from 'node:sqlite'

export interface AccountRow {
  id: string
  /** Null: the local owner. */
  email: string | null
  name: string
  /** Null: no password signs in. Salted randomly, so an unchanged hash means an unchanged password. */
  passwordHash: string | null
  confirmedAt: number | null
  createdAt: number
  language?: string | null
}

interface SessionRow {
  id: string
  hash: string
  device: string | null
  address: string | null
  createdAt: number
  usedAt: number | null
}

/** Per account: known addresses and sign-ins. In total: unconfirmed accounts. The oldest go first. */
const KNOWN_MAX = 16
const TOKENS_MAX = 100
const UNCONFIRMED_MAX = 10_000
const UNCONFIRMED_MS = 24 * 60 * 60 * 1000

const ACCOUNT =
  'id, email, name, password_hash AS passwordHash, confirmed_at AS confirmedAt, created_at AS createdAt, language'

export type AccountsTable = ReturnType<typeof accountsTable>

export function accountsTable(db: DatabaseSync) {
  const byId = db.prepare(`SELECT ${ACCOUNT} FROM accounts WHERE id = ?`)
  const byEmail = db.prepare(`SELECT ${ACCOUNT} FROM accounts WHERE email = ?`)
  const insert = db.prepare(
    `INSERT INTO accounts (id, email, name, password_hash, confirmed_at, created_at, language)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  )
  const forget = db.prepare(
    `DELETE FROM accounts WHERE confirmed_at IS NULL AND (created_at <= ? OR id IN (
       SELECT id FROM accounts WHERE confirmed_at IS NULL ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ?))`,
  )
  const renew = db.prepare('UPDATE accounts SET created_at = ? WHERE id = ? AND confirmed_at IS NULL')
  const setPassword = db.prepare('UPDATE accounts SET password_hash = ? WHERE id = ?')
  const confirm = db.prepare('UPDATE accounts SET confirmed_at = coalesce(confirmed_at, ?) WHERE id = ?')
  const ownsService = db.prepare(
    'SELECT 1 FROM accounts WHERE id = ? AND (email IS NULL OR owns_service = 1)',
  )
  const ownService = db.prepare(
    `UPDATE accounts SET owns_service = 1
     WHERE email = ? AND confirmed_at IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM accounts WHERE owns_service = 1)`,
  )
  const count = db.prepare('SELECT count(*) AS count FROM accounts')

  const insertToken = db.prepare(
    `INSERT INTO tokens (hash, account_id, created_at, expires_at, session_id)
     VALUES (?, ?, ?, ?, lower(hex(randomblob(12))))`,
  )
  const tokenOwner = db.prepare(
    'SELECT account_id AS accountId FROM tokens WHERE hash = ? AND expires_at > ?',
  )
  const deleteToken = db.prepare('DELETE FROM tokens WHERE hash = ?')
  const deleteTokens = db.prepare('DELETE FROM tokens WHERE account_id = ? AND hash <> ?')
  const deleteExpired = db.prepare('DELETE FROM tokens WHERE expires_at <= ?')
  const deleteOldest = db.prepare(
    `DELETE FROM tokens WHERE rowid IN (
       SELECT rowid FROM tokens WHERE account_id = ? ORDER BY rowid DESC LIMIT -1 OFFSET ${TOKENS_MAX})`,
  )

  return {
    ...ownTables(db),
    ...knownAddresses(db),
    byId: (id: string) => (byId.get(id) as AccountRow | undefined) ?? null,
    byEmail: (email: string) => (byEmail.get(email) as AccountRow | undefined) ?? null,
    /** The local owner, or who set the service up. */
    ownsService: (id: string) => ownsService.get(id) !== undefined,
    /** Does nothing if another account owns it, or this one's address was never confirmed: a stranger may have chosen it. */
    ownService: (email: string) => void ownService.run(email),
    count: () => Number(count.get()?.['count']),
    /** False if the id or the email is taken. */
    insert: (a: AccountRow) =>
      insert.run(a.id, a.email, a.name, a.passwordHash, a.confirmedAt, a.createdAt, a.language ?? null)
        .changes === 1,
    /** Deletes accounts not confirmed within a day, and the oldest beyond `most`: anybody can create those. */
    forgetUnconfirmed: (now: number, most = UNCONFIRMED_MAX) => void forget.run(now - UNCONFIRMED_MS, most),
    /** Registered again before confirmation: restarts its day. */
    renew: (id: string, now: number) => void renew.run(now, id),
    setPassword: (id: string, hash: string | null) => void setPassword.run(hash, id),
    confirm: (id: string, now: number) => void confirm.run(now, id),

    /** Adds a token; drops expired ones and the oldest beyond the account's maximum. */
    insertToken(hash: string, accountId: string, createdAt: number, expiresAt: number): void {
      // With a delay: setting the clock ahead and back must sign nobody out.
      deleteExpired.run(createdAt - (expiresAt - createdAt))
      insertToken.run(hash, accountId, createdAt, expiresAt)
      deleteOldest.run(accountId)
    },
    /** Null if unknown or expired at `now`. */
    tokenOwner: (hash: string, now: number) =>
      (tokenOwner.get(hash, now) as { accountId: string } | undefined)?.accountId ?? null,
    deleteToken: (hash: string) => void deleteToken.run(hash),
    deleteTokens: (accountId: string, except = '') => void deleteTokens.run(accountId, except),
  }
}

function knownAddresses(db: DatabaseSync) {
  const knows = db.prepare('SELECT 1 FROM known_addresses WHERE account_id = ? AND address = ?')
  const signedInFrom = db.prepare(
    `SELECT count(*) AS everywhere, coalesce(sum(address = ?2), 0) AS here
     FROM known_addresses WHERE account_id = ?1 AND signed_in = 1`,
  )
  const remember = db.prepare(
    `INSERT OR REPLACE INTO known_addresses (account_id, address, signed_in) VALUES (?1, ?2, max(?3, coalesce(
       (SELECT signed_in FROM known_addresses WHERE account_id = ?1 AND address = ?2), 0)))`,
  )
  const forgetOldest = db.prepare(
    `DELETE FROM known_addresses WHERE rowid IN (
       SELECT rowid FROM known_addresses WHERE account_id = ? ORDER BY rowid DESC LIMIT -1 OFFSET ${KNOWN_MAX})`,
  )

  return {
    /** Whether the account has signed in from this address (by hash), or may soon. */
    knows: (accountId: string, address: string) => knows.get(accountId, address) !== undefined,
    /** Whether the account has signed in before, but never from this address (by hash). */
    isNewPlace(accountId: string, address: string): boolean {
      const { everywhere, here } = signedInFrom.get(accountId, address) as {
        everywhere: number
        here: number
      }
      return everywhere > 0 && here === 0
    },
    /** Drops the least recently used beyond the maximum. `isSignIn`: false if a sign-in is only expected. */
    remember(accountId: string, address: string, isSignIn = true): void {
      remember.run(accountId, address, Number(isSignIn))
      forgetOldest.run(accountId)
    },
  }
}

function ownTables(db: DatabaseSync) {
  const sessions = db.prepare(
    `SELECT session_id AS id, hash, device, address, created_at AS createdAt, used_at AS usedAt
     FROM tokens WHERE account_id = ? AND expires_at > ? ORDER BY coalesce(used_at, created_at) DESC`,
  )
  const endSession = db.prepare('DELETE FROM tokens WHERE account_id = ? AND session_id = ?')
  const used = db.prepare('UPDATE tokens SET used_at = ?, device = ?, address = ? WHERE hash = ?')
  const update = db.prepare(
    'UPDATE accounts SET name = coalesce(?, name), language = coalesce(?, language) WHERE id = ?',
  )
  const knownCount = db.prepare('SELECT count(*) AS count FROM known_addresses WHERE account_id = ?')

  return {
    sessions: (accountId: string, now: number) => sessions.all(accountId, now) as unknown as SessionRow[],
    endSession: (accountId: string, id: string) => endSession.run(accountId, id).changes > 0,
    used: (hash: string, now: number, device: string, address: string) =>
      void used.run(now, device, address, hash),
    update: (accountId: string, name: string | undefined, language: string | undefined) =>
      void update.run(name ?? null, language ?? null, accountId),
    knownCount: (accountId: string) => Number(knownCount.get(accountId)?.['count']),
  }
}
