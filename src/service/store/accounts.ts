import type { DatabaseSync } from 'node:sqlite'

export interface AccountRow {
  id: string
  /** Null: the local owner, who has no address. */
  email: string | null
  name: string
  /** Null: no password signs in. Its salt is random: as long as it is the same, nobody has set a password. */
  passwordHash: string | null
  confirmedAt: number | null
  createdAt: number
  /** Null: nobody has said. */
  language?: string | null
}

/** A token that is still good, without what it is. */
export interface SessionRow {
  id: string
  hash: string
  device: string | null
  address: string | null
  createdAt: number
  usedAt: number | null
}

/** Addresses an account is known at, sign-ins it may have, and accounts nobody has confirmed. The oldest go first. */
const KNOWN_MAX = 16
const TOKENS_MAX = 100
const UNCONFIRMED_MAX = 10_000
const UNCONFIRMED_MS = 24 * 60 * 60 * 1000

const ACCOUNT =
  'id, email, name, password_hash AS passwordHash, confirmed_at AS confirmedAt, created_at AS createdAt, language'

export type AccountsTable = ReturnType<typeof accountsTable>

/** Accounts, their tokens (by hash), and the addresses they are known at (by hash). */
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
    count: () => Number(count.get()?.['count']),
    /** Adds an account; false where its id or its email is there already. */
    insert: (a: AccountRow) =>
      insert.run(a.id, a.email, a.name, a.passwordHash, a.confirmedAt, a.createdAt, a.language ?? null)
        .changes === 1,
    /** Forgets accounts that nobody confirmed within a day, and the oldest of too many: anybody can make those. */
    forgetUnconfirmed: (now: number, most = UNCONFIRMED_MAX) => void forget.run(now - UNCONFIRMED_MS, most),
    /** One that nobody has confirmed was registered again: its day begins anew. */
    renew: (id: string, now: number) => void renew.run(now, id),
    setPassword: (id: string, hash: string | null) => void setPassword.run(hash, id),
    confirm: (id: string, now: number) => void confirm.run(now, id),

    /** Adds a token; those that are expired go, and the oldest of an account that has too many. */
    insertToken(hash: string, accountId: string, createdAt: number, expiresAt: number): void {
      // Not at once: a clock that is set ahead, and back again, signs nobody out.
      deleteExpired.run(createdAt - (expiresAt - createdAt))
      insertToken.run(hash, accountId, createdAt, expiresAt)
      deleteOldest.run(accountId)
    },
    /** The account of a token that is still good at `now`. */
    tokenOwner: (hash: string, now: number) =>
      (tokenOwner.get(hash, now) as { accountId: string } | undefined)?.accountId ?? null,
    deleteToken: (hash: string) => void deleteToken.run(hash),
    /** Ends the sign-ins of an account, all but one where `except` names its hash. */
    deleteTokens: (accountId: string, except = '') => void deleteTokens.run(accountId, except),
  }
}

/** The addresses that accounts are known at. */
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
    /** Whether this account was signed in to from this address (by hash) before, or may be soon. */
    knows: (accountId: string, address: string) => knows.get(accountId, address) !== undefined,
    /** Whether this account was signed in to before, but never from this address (by hash). */
    isNewPlace(accountId: string, address: string): boolean {
      const { everywhere, here } = signedInFrom.get(accountId, address) as {
        everywhere: number
        here: number
      }
      return everywhere > 0 && here === 0
    },
    /**
     * Remembers an address (by hash); the one that was not used for longest goes where there are too many.
     * `isSignIn`: false where somebody may sign in from there, and has not yet.
     */
    remember(accountId: string, address: string, isSignIn = true): void {
      remember.run(accountId, address, Number(isSignIn))
      forgetOldest.run(accountId)
    },
  }
}

/** What an account sees and says of itself. */
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
    /** The sign-ins of an account that are good at `now`, the one used last first. */
    sessions: (accountId: string, now: number) => sessions.all(accountId, now) as unknown as SessionRow[],
    /** Ends one sign-in; false where the account has no such one. */
    endSession: (accountId: string, id: string) => endSession.run(accountId, id).changes > 0,
    /** Notes with what and from where a token was used. */
    used: (hash: string, now: number, device: string, address: string) =>
      void used.run(now, device, address, hash),
    /** Changes what is given. */
    update: (accountId: string, name: string | undefined, language: string | undefined) =>
      void update.run(name ?? null, language ?? null, accountId),
    /** How many addresses it is known at. */
    knownCount: (accountId: string) => Number(knownCount.get(accountId)?.['count']),
  }
}
