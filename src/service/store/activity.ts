import type { DatabaseSync } from 'node:sqlite'

/** Entries per server. Beyond that, the oldest of the most active actor go, so nobody can push out others' entries. */
const ENTRIES_MOST = 100_000
const STEP = 500

/** Times in ms since 1970; `seen` is on the clock used for aging. */
export interface NewEntry {
  at: number
  seen: number
  /** Account id; empty for the service. */
  actor: string
  area: string
  action: string
  kind: string | null
  targets: readonly string[]
  count: number
  times: number
  result: string
  reason: string | null
  address: string | null
  /** Name of the rule that did it. */
  rule: string | null
}

export interface EntryRow extends Omit<NewEntry, 'seen'> {
  id: number
  name: string
}

interface OwnEntryRow extends Omit<NewEntry, 'seen' | 'actor'> {
  serverId: string
}

export type EntryPosition = Pick<EntryRow, 'at' | 'id'>

export interface EntryFilter {
  actor?: string | undefined
  area?: string | undefined
  since?: number | undefined
  until?: number | undefined
}

export type ActivityTable = ReturnType<typeof activityTable>

/** Who did what on which server. Ids of deleted servers are ignored. */
export function activityTable(db: DatabaseSync, most = ENTRIES_MOST) {
  const numberOf = db.prepare('SELECT seq FROM servers WHERE id = ?')
  const numbered = (serverId: string): number | null => Number(numberOf.get(serverId)?.['seq'] ?? 0) || null
  return { ...written(db, numbered, most), ...pages(db, numbered), ...aging(db) }
}

function written(db: DatabaseSync, numbered: (serverId: string) => number | null, most: number) {
  const add = db.prepare(
    `INSERT INTO activity (server, at, seen, actor, area, action, kind, targets, count, times, result, reason, address,
       rule)
     VALUES (:server, :at, :seen, :actor, :area, :action, :kind, :targets, :count, :times, :result, :reason, :address,
       :rule)`,
  )
  const name = db.prepare(
    `INSERT INTO activity_people (server, actor, name, entries) VALUES (:server, :actor, :name, 1)
     ON CONFLICT DO UPDATE SET name = excluded.name, entries = entries + 1`,
  )
  const again = db.prepare('UPDATE activity SET times = times + 1 WHERE id = ?')
  const end = db.prepare('UPDATE activity SET result = ?, reason = ? WHERE id = ?')
  const all = db.prepare('SELECT sum(entries) AS n FROM activity_people WHERE server = ?')
  const busiest = db.prepare(
    'SELECT actor FROM activity_people WHERE server = ? ORDER BY entries DESC, actor LIMIT 1',
  )
  const trim = db.prepare(
    `DELETE FROM activity WHERE id IN
       (SELECT id FROM activity WHERE server = :server AND actor = :actor ORDER BY at, id LIMIT ${STEP})`,
  )
  const fewer = fewerOf(db)

  return {
    /** Returns the entry's number; null if the server is gone. */
    add(serverId: string, entry: NewEntry, actorName: string): number | null {
      const server = numbered(serverId)
      if (server === null) return null
      const targets = entry.targets.length > 0 ? JSON.stringify(entry.targets) : null
      const { lastInsertRowid } = add.run({ ...entry, server, targets })
      name.run({ server, actor: entry.actor, name: actorName })
      if (Number(all.get(server)?.['n']) > most) {
        const actor = String(busiest.get(server)?.['actor'])
        fewer(server, actor, Number(trim.run({ server, actor }).changes))
      }
      return Number(lastInsertRowid)
    },
    again: (id: number) => void again.run(id),
    end: (id: number, result: string, reason: string | null) => void end.run(result, reason, id),
  }
}

/** Updates the counts after deletions; actors without entries are dropped. */
function fewerOf(db: DatabaseSync) {
  const count = db.prepare('UPDATE activity_people SET entries = entries - ? WHERE server = ? AND actor = ?')
  const drop = db.prepare('DELETE FROM activity_people WHERE server = ? AND actor = ? AND entries <= 0')
  return (server: number, actor: string, gone: number): void => {
    count.run(gone, server, actor)
    drop.run(server, actor)
  }
}

const ENTRY =
  'id, at, activity.actor, name, area, action, kind, targets, count, times, result, reason, address, rule'

function pages(db: DatabaseSync, numbered: (serverId: string) => number | null) {
  const people = db.prepare(
    'SELECT actor, name FROM activity_people WHERE server = ? AND actor > ? ORDER BY actor LIMIT ?',
  )
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  /** One statement per set of filters, so that each uses a fitting index. */
  const pageBy = (fields: readonly ('actor' | 'area')[]) => {
    const key = fields.join()
    const found = statements.get(key)
    if (found) return found
    const made = db.prepare(
      `SELECT ${ENTRY} FROM activity JOIN activity_people USING (server, actor)
       WHERE server = :server ${fields.map((field) => `AND activity.${field} = :${field} `).join('')}
       AND at >= :since AND (at, id) < (:at, :id) ORDER BY at DESC, id DESC LIMIT :limit`,
    )
    statements.set(key, made)
    return made
  }

  const ofActor = db.prepare(
    `SELECT servers.id AS serverId, at, area, action, kind, targets, count, times, result, reason, address, rule
     FROM activity JOIN servers ON seq = server
     WHERE server IN (SELECT server FROM activity_people WHERE actor = :actor) AND actor = :actor
     ORDER BY at DESC, activity.id DESC LIMIT :limit`,
  )

  return {
    ofActor: (actor: string, limit: number) =>
      ofActor.all({ actor, limit }).map(withTargets) as unknown as OwnEntryRow[],
    page(serverId: string, filter: EntryFilter, before: EntryPosition, limit: number): EntryRow[] {
      const server = numbered(serverId)
      if (server === null) return []
      const { actor, area, since = 0, until = Infinity } = filter
      const given = {
        ...(actor === undefined ? {} : { actor }),
        ...(area === undefined ? {} : { area }),
      }
      // `until` is inclusive; a place before it is the tighter bound.
      const isBefore = until >= before.at
      const last = { at: isBefore ? before.at : until, id: isBefore ? before.id : Number.MAX_SAFE_INTEGER }
      const rows = pageBy(Object.keys(given) as ('actor' | 'area')[]).all({
        ...{ server, since, limit, ...last },
        ...given,
      })
      return rows.map(withTargets) as unknown as EntryRow[]
    },
    people: (serverId: string, after: string, limit: number) =>
      people.all(numbered(serverId) ?? 0, after, limit) as unknown as { actor: string; name: string }[],
  }
}

const withTargets = <Row extends Record<string, unknown>>(row: Row) => ({
  ...row,
  targets: row['targets'] === null ? [] : (JSON.parse(row['targets'] as string) as string[]),
})

function aging(db: DatabaseSync) {
  const STEP_OF = 'SELECT id, server, actor, seen FROM activity'
  const old = db.prepare(
    `DELETE FROM activity WHERE id IN (SELECT id FROM (${STEP_OF} ORDER BY id LIMIT ${STEP}) WHERE seen < ?)
     RETURNING server, actor`,
  )
  const gone = db.prepare(
    'SELECT DISTINCT server FROM activity_people WHERE server NOT IN (SELECT seq FROM servers) LIMIT 1',
  )
  const ofGone = db.prepare(
    `DELETE FROM activity WHERE id IN (SELECT id FROM activity WHERE server = ? LIMIT ${STEP})`,
  )
  const people = db.prepare('DELETE FROM activity_people WHERE server = ?')
  const fewer = fewerOf(db)

  return {
    /** Removes one step of entries older than `seen` or left by deleted servers. Returns whether there may be more. */
    sweepStep(seen: number): boolean {
      const counts = new Map<string, { server: number; actor: string; n: number }>()
      const rows = old.all(seen) as unknown as { server: number; actor: string }[]
      for (const { server, actor } of rows) {
        const key = `${server} ${actor}`
        const count = counts.get(key) ?? { server, actor, n: 0 }
        counts.set(key, { ...count, n: count.n + 1 })
      }
      for (const { server, actor, n } of counts.values()) fewer(server, actor, n)
      const server = gone.get()?.['server']
      if (server === undefined) return rows.length === STEP
      if (Number(ofGone.run(Number(server)).changes) < STEP) people.run(Number(server))
      return true
    },
  }
}
