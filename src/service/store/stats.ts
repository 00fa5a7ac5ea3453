import type { DatabaseSync } from 'node:sqlite'

/** Changes of the status kept per server; the oldest go. */
const MARKS_MOST = 500

/** The sum of `samples`, and the most of them. Times in ms since 1970. */
export interface UseBucket {
  at: number
  samples: number
  cpu: number
  memory: number
  cpuMost: number
  memoryMost: number
  playersMost: number
}

export interface StoredMark {
  at: number
  status: string
}

export type StatsTable = ReturnType<typeof statsTable>

/** Ids of deleted servers are ignored. */
export function statsTable(db: DatabaseSync) {
  const add = db.prepare(
    `INSERT INTO stats_buckets (server_id, step, at, samples, cpu, memory, cpu_most, memory_most, players_most)
     SELECT id, :step, :at, :samples, :cpu, :memory, :cpuMost, :memoryMost, :playersMost FROM servers WHERE id = :server
     ON CONFLICT DO UPDATE SET samples = samples + excluded.samples, cpu = cpu + excluded.cpu,
       memory = memory + excluded.memory, cpu_most = max(cpu_most, excluded.cpu_most),
       memory_most = max(memory_most, excluded.memory_most), players_most = max(players_most, excluded.players_most)`,
  )
  const drop = db.prepare(
    'DELETE FROM stats_buckets WHERE server_id = :server AND step = :step AND at NOT BETWEEN :since AND :until',
  )
  const since = db.prepare(
    `SELECT at, samples, cpu, memory, cpu_most AS cpuMost, memory_most AS memoryMost, players_most AS playersMost
     FROM stats_buckets WHERE server_id = ? AND step = ? AND at BETWEEN ? AND ? ORDER BY at`,
  )
  const mark = db.prepare(
    'INSERT INTO status_marks (server_id, at, status) SELECT id, :at, :status FROM servers WHERE id = :server',
  )
  const dropMarks = db.prepare(
    `DELETE FROM status_marks WHERE server_id = :server AND (at < :since OR seq <= (SELECT seq FROM status_marks
       WHERE server_id = :server ORDER BY seq DESC LIMIT 1 OFFSET ${MARKS_MOST}))`,
  )
  const marks = db.prepare(
    'SELECT at, status FROM status_marks WHERE server_id = ? AND at BETWEEN ? AND ? ORDER BY at, seq',
  )
  const ran = db.prepare('UPDATE servers SET ran = 1 WHERE id = ? AND ran = 0')
  return {
    /** Joins the bucket with the one that is there, and drops what isn't within the given times. */
    add(server: string, step: number, bucket: UseBucket, kept: { since: number; until: number }): void {
      add.run({ server, step, ...bucket })
      drop.run({ server, step, ...kept })
    },
    buckets: (server: string, step: number, from: number, until: number) =>
      since.all(server, step, from, until) as unknown as UseBucket[],
    mark(server: string, { at, status }: StoredMark, keptSince: number): void {
      mark.run({ server, at, status })
      if (status === 'online') ran.run(server)
      dropMarks.run({ server, since: keptSince })
    },
    marks: (server: string, from: number, until: number) =>
      marks.all(server, from, until) as unknown as StoredMark[],
  }
}
