import type { DatabaseSync } from 'node:sqlite'

interface PromocodeGrant {
  servers: number
  memoryMb: number
  diskBytes: number
}

export interface PromocodeRow extends PromocodeGrant {
  id: string
  name: string
  /** Duration of the benefits in ms; null: forever. */
  lastsMs: number | null
  usesMost: number
  uses: number
  expiresAt: number | null
  revokedAt: number | null
  createdAt: number
}

/** Benefits as they were at activation. */
export interface PromotionRow extends PromocodeGrant {
  seq: number
  id: string
  name: string
  activatedAt: number
  endsAt: number | null
}

interface EndingPromotion {
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

  // Benefits shorter than twice that are announced halfway, so nobody is reminded right after activating.
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
    /** Prevents further activations; granted benefits stay. False if unknown. */
    revoke: (id: string, now: number) => revoke.run(now, id).changes === 1,
    has: (id: string, accountId: string) => has.get(id, accountId) !== undefined,
    /** Grants the code's current benefits; returns the promotion's number, or null if already activated. */
    activate: (row: PromocodeRow, accountId: string, now: number, endsAt: number | null) =>
      (activate.get(row.id, accountId, row.servers, row.memoryMb, row.diskBytes, now, endsAt) as
        { seq: number } | undefined) ?? null,
    page: (accountId: string, before: number, limit: number) =>
      page.all(accountId, before, limit) as unknown as PromotionRow[],
    sum: (accountId: string, now: number) => sum.get(accountId, now) as unknown as PromocodeGrant,
    /** At most `limit` promotions ending within `ms`; marks them as announced. */
    takeEnding: (now: number, ms: number, limit: number) =>
      ending.all(now, ms, limit) as unknown as EndingPromotion[],
    lastEnd: (accountId: string, now: number) =>
      (ended.get(accountId, now) as { at: number | null } | undefined)?.at ?? null,
  }
}
