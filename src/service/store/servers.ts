import type { DatabaseSync } from 'node:sqlite'

export interface ServerRow {
  /** Order of creation. */
  seq: number
  id: string
  ownerId: string
  name: string
  softwareId: string
  softwareVersion: string
  memoryMb: number
  port: number
  /** The account that accepted the license of its software; null where none asks for that. */
  licenseAcceptedBy: string | null
  licenseAcceptedAt: number | null
  /** Counts the changes of the configuration; its entity tag is made of it. */
  revision: number
  createdAt: number
}

/** A server that is about to get a row. */
export type NewServer = Omit<ServerRow, 'seq' | 'revision' | 'licenseAcceptedBy' | 'licenseAcceptedAt'> &
  Partial<Pick<ServerRow, 'licenseAcceptedBy' | 'licenseAcceptedAt'>>

const SERVER = `seq, id, owner_id AS ownerId, name, software_id AS softwareId, software_version AS softwareVersion,
  memory_mb AS memoryMb, port, license_accepted_by AS licenseAcceptedBy, license_accepted_at AS licenseAcceptedAt,
  revision, created_at AS createdAt`

export type ServersTable = ReturnType<typeof serversTable>

/** The servers this service runs. */
export function serversTable(db: DatabaseSync) {
  const byId = db.prepare(`SELECT ${SERVER} FROM servers WHERE id = ?`)
  const all = db.prepare(`SELECT ${SERVER} FROM servers ORDER BY seq`)
  const page = db.prepare(
    `SELECT ${SERVER} FROM servers WHERE seq > ?2 AND seq IN (
       SELECT seq FROM servers WHERE owner_id = ?1 UNION
       SELECT seq FROM servers JOIN members ON server_id = id WHERE account_id = ?1)
     ORDER BY seq LIMIT ?3`,
  )
  const insert = db.prepare(
    `INSERT INTO servers (id, owner_id, name, software_id, software_version, memory_mb, port, created_at,
       license_accepted_by, license_accepted_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${SERVER}`,
  )
  const change = db.prepare(
    `UPDATE servers SET name = ?, memory_mb = ?, revision = revision + 1 WHERE id = ? AND revision = ?
     RETURNING ${SERVER}`,
  )
  const setSoftware = db.prepare(
    `UPDATE servers SET software_id = ?2, software_version = ?3,
       license_accepted_by = coalesce(?4, license_accepted_by), license_accepted_at = coalesce(?5, license_accepted_at)
     WHERE id = ?1 RETURNING ${SERVER}`,
  )
  const remove = db.prepare('DELETE FROM servers WHERE id = ?')
  const ports = db.prepare('SELECT port FROM servers')

  const countOf = db.prepare('SELECT count(*) AS count FROM servers WHERE owner_id = ?')
  const memoryOf = db.prepare('SELECT coalesce(sum(memory_mb), 0) AS sum FROM servers WHERE owner_id = ?')

  return {
    /** MiB of memory that the servers of an account have together. */
    memoryOf: (ownerId: string) => Number(memoryOf.get(ownerId)?.['sum']),
    /** How many servers an account has. */
    countOf: (ownerId: string) => Number(countOf.get(ownerId)?.['count']),
    byId: (id: string) => (byId.get(id) as ServerRow | undefined) ?? null,
    all: () => all.all() as unknown as ServerRow[],
    /**
     * At most `limit` servers that an account has or that are shared with it, of those that were created after the one
     * with number `after`.
     */
    page: (accountId: string, after: number, limit: number) =>
      page.all(accountId, after, limit) as unknown as ServerRow[],
    ports: () => new Set(ports.all().map((row) => Number(row['port']))),
    insert: (s: NewServer) =>
      insert.get(
        s.id,
        s.ownerId,
        s.name,
        s.softwareId,
        s.softwareVersion,
        s.memoryMb,
        s.port,
        s.createdAt,
        s.licenseAcceptedBy ?? null,
        s.licenseAcceptedAt ?? null,
      ) as unknown as ServerRow,
    /** Changes name and memory of the revision that was read; null where it was changed meanwhile. */
    change: (id: string, revision: number, to: { name: string; memoryMb: number }) =>
      (change.get(to.name, to.memoryMb, id, revision) as ServerRow | undefined) ?? null,
    /** Sets the software of a server; `license`: who accepted its license, and when. Null where it is gone. */
    setSoftware: (
      id: string,
      to: { id: string; version: string },
      license: { by: string; at: number } | null = null,
    ) =>
      (setSoftware.get(id, to.id, to.version, license?.by ?? null, license?.at ?? null) as
        ServerRow | undefined) ?? null,
    remove: (id: string) => void remove.run(id),
  }
}
