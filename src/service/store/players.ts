import type { DatabaseSync } from 'node:sqlite'

/** Names and sessions remembered per server; the oldest go. */
const SEEN_MOST = 10_000
const SESSIONS_MOST = 20_000
const LOGS_MOST = 1000
export const BANS_AT_ONCE = 100
/** A logged and a watched session are the same if they begin this close together, in ms. */
const SAME_MS = 10_000

export interface SeenPlayer {
  name: string
  uuid: string | null
  firstSeen: number
  lastSeen: number
}

/** A stay on a server. Times in ms since 1970. */
interface SessionRow {
  name: string
  joinedAt: number
  /** When it ended; while open, until when it is known to last. */
  seenAt: number
  open: boolean
}

export type SessionPosition = Pick<SessionRow, 'joinedAt' | 'name'>

/** A temporary ban, kept where the server's own list has no end dates. */
export interface TimedBan {
  serverId: string
  uuid: string
  name: string
  created: string
  endsAt: number
}

export type PlayersTable = ReturnType<typeof playersTable>

/** Ids of deleted servers are ignored: programs may report players just after their server is deleted. */
export const playersTable = (db: DatabaseSync) => ({
  ...seenPlayers(db),
  ...playSessions(db),
  ...readLogs(db),
  ...timedBans(db),
  ...waysOfPlayers(db),
})

function waysOfPlayers(db: DatabaseSync) {
  const came = db.prepare(
    `INSERT INTO joined_from (server_id, kind, at) SELECT id, :kind, :at FROM servers WHERE id = :server
     ON CONFLICT (server_id, kind) DO UPDATE SET at = excluded.at`,
  )
  const ways = db.prepare('SELECT kind, at FROM joined_from WHERE server_id = ?')
  return {
    cameFrom: (server: string, kind: string, at: number) => void came.run({ server, kind, at }),
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
  const open = db.prepare(
    'SELECT name, joined_at AS at FROM player_sessions WHERE server_id = ? AND open = 1 ORDER BY joined_at',
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
    down: (server: string, at: number) => void down.run({ server, at }),
    /** Adds a logged session unless it was also watched. */
    fromLog: (server: string, name: string, joined: number, left: number) =>
      void fromLog.run({ server, name, joined, left }),
    /** Extends all open sessions to `at`. */
    lasting: (at: number) => void lasting.run(at),
    /** At service start: no server runs yet, so no session is open. */
    endAll: () => void endAll.run(),
    /** Newest first, sessions after the given place; only of player `name` if given. */
    sessions: (server: string, after: SessionPosition, limit: number, name?: string): SessionRow[] =>
      (name === undefined
        ? page.all(server, after.joinedAt, after.name, limit)
        : pageOf.all(server, name, after.joinedAt, limit)
      ).map(asSession),
    /** Name → when the open session began, in ms since 1970. */
    onSince: (server: string) =>
      new Map(open.all(server).map((row) => [String(row['name']), Number(row['at'])])),
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
    /** Log file → its mark when it was read. */
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
    /** At most a hundred expired bans, oldest first, following `after`. */
    bansEnded: (now: number, after?: TimedBan) => {
      const { endsAt = 0, serverId = '', uuid = '' } = after ?? {}
      return ended.all(now, endsAt, serverId, uuid) as unknown as TimedBan[]
    },
  }
}
