import type { DatabaseSync } from 'node:sqlite'

/** What a promocode gives. */
export interface Gift {
  servers: number
  memoryMb: number
  diskBytes: number
}

export interface PromocodeRow extends Gift {
  id: string
  name: string
  /** How long its benefits last from when it is activated, ms; null: for ever. */
  lastsMs: number | null
  usesMost: number
  uses: number
  /** Until when it can be activated; null: for ever. */
  expiresAt: number | null
  revokedAt: number | null
  createdAt: number
}

/** A promocode that an account has activated, with what it gave then. */
export interface PromotionRow extends Gift {
  /** Order of activation. */
  seq: number
  id: string
  name: string
  activatedAt: number
  endsAt: number | null
}

/** A promotion whose account is to be told that it ends. */
export interface EndingPromotion {
  accountId: string
  name: string
  endsAt: number
}

const PROMOCODE = `id, name, servers, memory_mb AS memoryMb, disk_bytes AS diskBytes, lasts_ms AS lastsMs,
  uses_most AS usesMost, (SELECT count(*) FROM promotions WHERE promocode_id = promocodes.id) AS uses,
  expires_at AS expiresAt, revoked_at AS revokedAt, promocodes.created_at AS createdAt`

const PROMOTION = `promotions.seq AS seq, id, name, promotions.servers AS servers, promotions.memory_mb AS memoryMb,
  promotions.disk_bytes AS diskBytes, activated_at AS activatedAt, ends_at AS endsAt`

export type PromocodesTable = ReturnType<typeof promocodesTable>

/** Promocodes (by hash), and which accounts have activated them. */
export function promocodesTable(db: DatabaseSync) {
  const byHash = db.prepare(`SELECT ${PROMOCODE} FROM promocodes WHERE hash = ?`)
  const all = db.prepare(`SELECT ${PROMOCODE} FROM promocodes ORDER BY promocodes.created_at, id`)
  const insert = db.prepare(
    `INSERT INTO promocodes (id, hash, name, servers, memory_mb, disk_bytes, lasts_ms, uses_most, expires_at, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const revoke = db.prepare('UPDATE promocodes SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?')
  const activate = db.prepare(
    `INSERT INTO promotions (promocode_id, account_id, servers, memory_mb, disk_bytes, activated_at, ends_at)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING seq`,
  )
  const has = db.prepare('SELECT 1 FROM promotions WHERE promocode_id = ? AND account_id = ?')
  const page = db.prepare(
    `SELECT ${PROMOTION} FROM promotions JOIN promocodes ON id = promocode_id
     WHERE account_id = ? AND promotions.seq < ? ORDER BY promotions.seq DESC LIMIT ?`,
  )
  const sum = db.prepare(
    `SELECT coalesce(sum(servers), 0) AS servers, coalesce(sum(memory_mb), 0) AS memoryMb,
       coalesce(sum(disk_bytes), 0) AS diskBytes
     FROM promotions WHERE account_id = ? AND (ends_at IS NULL OR ends_at > ?)`,
  )
  const ended = db.prepare('SELECT max(ends_at) AS at FROM promotions WHERE account_id = ? AND ends_at <= ?')

  // One that lasts for less than twice that is told of in the middle: nobody is reminded of what was just begun.
  const ending = db.prepare(
    `UPDATE promotions SET end_told = 1 WHERE seq IN (
       SELECT seq FROM promotions WHERE end_told = 0 AND ends_at > ?1 AND ends_at <= ?1 + ?2
         AND ends_at - (ends_at - activated_at) / 2 <= ?1 ORDER BY ends_at LIMIT ?3)
     RETURNING account_id AS accountId, ends_at AS endsAt,
       (SELECT name FROM promocodes WHERE id = promocode_id) AS name`,
  )

  return {
    byHash: (hash: string) => (byHash.get(hash) as PromocodeRow | undefined) ?? null,
    all: () => all.all() as unknown as PromocodeRow[],
    insert: (row: Omit<PromocodeRow, 'uses' | 'revokedAt'> & { hash: string }) =>
      void insert.run(
        ...[row.id, row.hash, row.name, row.servers, row.memoryMb, row.diskBytes],
        ...[row.lastsMs, row.usesMost, row.expiresAt, row.createdAt],
      ),
    /** It can no longer be activated; what it has given stays. False where there is none. */
    revoke: (id: string, now: number) => revoke.run(now, id).changes === 1,
    has: (id: string, accountId: string) => has.get(id, accountId) !== undefined,
    /** Gives an account what the code gives now; answers its number, or null where the account has it already. */
    activate: (row: PromocodeRow, accountId: string, now: number, endsAt: number | null) =>
      (activate.get(row.id, accountId, row.servers, row.memoryMb, row.diskBytes, now, endsAt) as
        { seq: number } | undefined) ?? null,
    /** Those of an account before the one with number `before`, the newest first. */
    page: (accountId: string, before: number, limit: number) =>
      page.all(accountId, before, limit) as unknown as PromotionRow[],
    /** All that counts at `now`. */
    sum: (accountId: string, now: number) => sum.get(accountId, now) as unknown as Gift,
    /** At most `limit` promotions that end within `ms` and were not told of before; now they are. */
    takeEnding: (now: number, ms: number, limit: number) =>
      ending.all(now, ms, limit) as unknown as EndingPromotion[],
    /** When benefits of an account ended last; null where none have. */
    lastEnd: (accountId: string, now: number) =>
      (ended.get(accountId, now) as { at: number | null } | undefined)?.at ?? null,
  }
}
