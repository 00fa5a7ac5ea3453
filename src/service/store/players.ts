import type { DatabaseSync } from 'node:sqlite'

/** Names that are remembered of one server, and sessions: the oldest go. */
const SEEN_MOST = 10_000
const SESSIONS_MOST = 20_000
/** Logs whose reading is remembered, of one server. */
const LOGS_MOST = 1000
/** Bans that are looked at in one go. */
export const BANS_AT_ONCE = 100
/** A session of a log and one that was watched are the same where they begin this close to each other, in ms. */
const SAME_MS = 10_000

/** Somebody who was seen on a server. Times in ms since 1970. */
export interface SeenPlayer {
  name: string
  uuid: string | null
  firstSeen: number
  lastSeen: number
}

/** A stay on a server. Times in ms since 1970. */
export interface SessionRow {
  name: string
  joinedAt: number
  /** When it ended; of one that lasts, until when it is known to. */
  seenAt: number
  open: boolean
}

/** Where a session stands among those of its server. */
export type SessionPlace = Pick<SessionRow, 'joinedAt' | 'name'>

/** A ban that ends, kept where the server's own list cannot say so. */
export interface TimedBan {
  serverId: string
  uuid: string
  name: string
  created: string
  endsAt: number
}

export type PlayersTable = ReturnType<typeof playersTable>

/**
 * Who was on which server and when. What names a server that is gone is passed over: players are told of by programs that
 * end a moment after their server was deleted.
 */
export const playersTable = (db: DatabaseSync) => ({
  ...seenPlayers(db),
  ...playSessions(db),
  ...readLogs(db),
  ...timedBans(db),
  ...waysOfPlayers(db),
})

/** From where players have joined a server: its own computer, its network, or the internet; and when that was last. */
function waysOfPlayers(db: DatabaseSync) {
  const came = db.prepare(
    `INSERT INTO joined_from (server_id, kind, at) SELECT id, :kind, :at FROM servers WHERE id = :server
     ON CONFLICT (server_id, kind) DO UPDATE SET at = excluded.at`,
  )
  const ways = db.prepare('SELECT kind, at FROM joined_from WHERE server_id = ?')
  return {
    cameFrom: (server: string, kind: string, at: number) => void came.run({ server, kind, at }),
    /** By kind, in ms since 1970. */
    ways: (server: string) =>
      new Map(ways.all(server).map((row) => [String(row['kind']), Number(row['at'])])),
  }
}

function seenPlayers(db: DatabaseSync) {
  const seen = db.prepare(
    `INSERT INTO players_seen (server_id, name, uuid, first_seen, last_seen)
     SELECT id, :name, :uuid, :at, :at FROM servers WHERE id = :server
     ON CONFLICT (server_id, name) DO UPDATE SET name = excluded.name, uuid = coalesce(excluded.uuid, uuid),
       first_seen = min(first_seen, excluded.first_seen), last_seen = max(last_seen, excluded.last_seen)`,
  )
  const all = db.prepare(
    `SELECT name, uuid, first_seen AS firstSeen, last_seen AS lastSeen FROM players_seen WHERE server_id = ?`,
  )
  const trim = db.prepare(
    `DELETE FROM players_seen WHERE server_id = :server AND last_seen <= (SELECT last_seen FROM players_seen
       WHERE server_id = :server ORDER BY last_seen DESC LIMIT 1 OFFSET ${SEEN_MOST})`,
  )
  return {
    seen: (server: string, name: string, uuid: string | null, at: number) =>
      void seen.run({ server, name, uuid, at }),
    allSeen: (server: string) => all.all(server) as unknown as SeenPlayer[],
    /** Removes those who were not seen for longest, where there are too many. */
    trimSeen: (server: string) => void trim.run({ server }),
  }
}

function playSessions(db: DatabaseSync) {
  const join = db.prepare(
    `INSERT OR IGNORE INTO player_sessions (server_id, name, joined_at, seen_at, open)
     SELECT id, :name, :at, :at, 1 FROM servers WHERE id = :server`,
  )
  const leave = db.prepare(
    `UPDATE player_sessions SET seen_at = :at, open = 0 WHERE server_id = :server AND name = :name AND open = 1`,
  )
  const down = db.prepare(
    'UPDATE player_sessions SET seen_at = :at, open = 0 WHERE server_id = :server AND open = 1',
  )
  const fromLog = db.prepare(
    `INSERT OR IGNORE INTO player_sessions (server_id, name, joined_at, seen_at, open)
     SELECT id, :name, :joined, :left, 0 FROM servers WHERE id = :server AND NOT EXISTS
       (SELECT 1 FROM player_sessions WHERE server_id = :server AND name = :name
        AND joined_at BETWEEN :joined - ${SAME_MS} AND :joined + ${SAME_MS})`,
  )
  const lasting = db.prepare('UPDATE player_sessions SET seen_at = ? WHERE open = 1')
  const endAll = db.prepare('UPDATE player_sessions SET open = 0 WHERE open = 1')
  const trim = db.prepare(
    `DELETE FROM player_sessions WHERE server_id = :server AND open = 0 AND joined_at <= (SELECT joined_at FROM
       player_sessions WHERE server_id = :server ORDER BY joined_at DESC LIMIT 1 OFFSET ${SESSIONS_MOST})`,
  )
  const SESSION = 'name, joined_at AS joinedAt, seen_at AS seenAt, open'
  const page = db.prepare(
    `SELECT ${SESSION} FROM player_sessions WHERE server_id = ? AND (joined_at, name) < (?, ?)
     ORDER BY joined_at DESC, name DESC LIMIT ?`,
  )
  const pageOf = db.prepare(
    `SELECT ${SESSION} FROM player_sessions WHERE server_id = ? AND name = ? AND joined_at < ?
     ORDER BY joined_at DESC LIMIT ?`,
  )
  const asSession = (row: Record<string, unknown>): SessionRow => ({
    ...(row as unknown as SessionRow),
    open: row['open'] === 1,
  })
  return {
    joined: (server: string, name: string, at: number) => void join.run({ server, name, at }),
    left: (server: string, name: string, at: number) => void leave.run({ server, name, at }),
    /** Ends all that last at a server. */
    down: (server: string, at: number) => void down.run({ server, at }),
    /** Adds a session of a log, unless it was watched. */
    fromLog: (server: string, name: string, joined: number, left: number) =>
      void fromLog.run({ server, name, joined, left }),
    /** Those that last did so until now. */
    lasting: (at: number) => void lasting.run(at),
    /** A service that begins knows of none that lasts: its servers do not run yet. */
    endAll: () => void endAll.run(),
    /** The newest first, of those that stand after a place in that order; of one player where a name is given. */
    sessions: (server: string, after: SessionPlace, limit: number, name?: string): SessionRow[] =>
      (name === undefined
        ? page.all(server, after.joinedAt, after.name, limit)
        : pageOf.all(server, name, after.joinedAt, limit)
      ).map(asSession),
    /** Removes the oldest, where there are too many. */
    trimSessions: (server: string) => void trim.run({ server }),
  }
}

function readLogs(db: DatabaseSync) {
  const logs = db.prepare('SELECT file, mark FROM player_logs WHERE server_id = ?')
  const read = db.prepare(
    `INSERT INTO player_logs (server_id, file, mark) SELECT id, :file, :mark FROM servers WHERE id = :server
     AND (SELECT count(*) FROM player_logs WHERE server_id = :server) < ${LOGS_MOST}
     ON CONFLICT (server_id, file) DO UPDATE SET mark = excluded.mark`,
  )
  const forget = db.prepare('DELETE FROM player_logs WHERE server_id = ? AND file = ?')
  return {
    /** Logs that were read, with the mark each had. */
    logs: (server: string): Map<string, string> =>
      new Map(logs.all(server).map((row) => [String(row['file']), String(row['mark'])])),
    logRead: (server: string, file: string, mark: string) => void read.run({ server, file, mark }),
    forgetLog: (server: string, file: string) => void forget.run(server, file),
  }
}

function timedBans(db: DatabaseSync) {
  const BAN = 'server_id AS serverId, uuid, name, created, ends_at AS endsAt'
  const keep = db.prepare(
    `INSERT OR REPLACE INTO timed_bans (server_id, uuid, name, created, ends_at)
     SELECT id, :uuid, :name, :created, :endsAt FROM servers WHERE id = :serverId`,
  )
  const drop = db.prepare('DELETE FROM timed_bans WHERE server_id = ? AND uuid = ?')
  const of = db.prepare(`SELECT ${BAN} FROM timed_bans WHERE server_id = ?`)
  const ended = db.prepare(
    `SELECT ${BAN} FROM timed_bans WHERE ends_at <= ? AND (ends_at, server_id, uuid) > (?, ?, ?)
     ORDER BY ends_at, server_id, uuid LIMIT ${BANS_AT_ONCE}`,
  )
  return {
    keepBan: (ban: TimedBan) => void keep.run({ ...ban }),
    dropBan: (server: string, uuid: string) => void drop.run(server, uuid),
    bansOf: (server: string) => of.all(server) as unknown as TimedBan[],
    /** Those whose end has come, a hundred at most: the oldest, or those that follow one of them. */
    bansEnded: (now: number, after?: TimedBan) => {
      const { endsAt = 0, serverId = '', uuid = '' } = after ?? {}
      return ended.all(now, endsAt, serverId, uuid) as unknown as TimedBan[]
    },
  }
}
