import type { DatabaseSync } from 'node:sqlite'
import type { DriverName } from '../../contract/areas/values/container-config.ts'
import type { JVM_SETS } from '../../contract/areas/values/java-config.ts'
import type { WAKES } from '../../contract/areas/server-config.ts'
import type { OpenToValue } from '../../contract/areas/open-to.ts'

type JvmSet = (typeof JVM_SETS)[number]

export interface SleepRule {
  afterMinutes: number
  wake: (typeof WAKES)[number]
}

export interface RunSettings {
  /** Chosen Java major version; null: the one its version needs. */
  javaMajor: number | null
  jvmSet: JvmSet
  javaArgs: readonly string[]
  autoStart: boolean
  autoRestart: boolean
  /** Null: it stays on without players. */
  sleep: SleepRule | null
  driver: DriverName
  /** Cores it may use in a container; null: all. */
  cpus: number | null
  /** Name of the computer it has to run on; null: any. */
  node: string | null
}

export const USUAL_RUN: RunSettings = {
  javaMajor: null,
  jvmSet: 'default',
  javaArgs: [],
  autoStart: false,
  autoRestart: false,
  sleep: null,
  driver: 'process',
  cpus: null,
  node: null,
}

export interface ServerRow extends RunSettings {
  seq: number
  id: string
  ownerId: string
  name: string
  softwareId: string
  softwareVersion: string
  memoryMb: number
  port: number
  /** Null: the same as for the service. */
  openTo: OpenToValue | null
  /** Null if the software needs no acceptance. */
  licenseAcceptedBy: string | null
  licenseAcceptedAt: number | null
  /** Number of configuration changes; used for the ETag. */
  revision: number
  createdAt: number
  /** It was online at least once, or is older than this is known. */
  ran: boolean
  /** Name of the container that runs it, which others made; null: none. */
  container: string | null
}

type RowDefault = 'openTo' | 'container' | 'licenseAcceptedBy' | 'licenseAcceptedAt' | keyof RunSettings
export type NewServer = Omit<ServerRow, 'seq' | 'revision' | 'ran' | RowDefault> &
  Partial<Pick<ServerRow, RowDefault>>

export type ServerChange = Partial<
  Pick<ServerRow, 'name' | 'memoryMb' | 'port' | 'openTo' | keyof RunSettings>
>

const SERVER = `seq, id, owner_id AS ownerId, name, software_id AS softwareId, software_version AS softwareVersion,
  memory_mb AS memoryMb, port, open_to AS openTo, license_accepted_by AS licenseAcceptedBy, license_accepted_at AS licenseAcceptedAt,
  java_major AS javaMajor, jvm_set AS jvmSet, java_args AS javaArgs, auto_start AS autoStart,
  auto_restart AS autoRestart, sleep, driver, cpus, node, revision, created_at AS createdAt, ran,
  container`

const rowOf = (raw: Record<string, unknown>): ServerRow =>
  ({
    ...raw,
    javaArgs: JSON.parse(String(raw['javaArgs'])) as string[],
    autoStart: raw['autoStart'] === 1,
    autoRestart: raw['autoRestart'] === 1,
    sleep: JSON.parse(String(raw['sleep'])) as SleepRule | null,
    ran: raw['ran'] === 1,
  }) as unknown as ServerRow

const written = (run: RunSettings) => [
  run.javaMajor,
  run.jvmSet,
  JSON.stringify(run.javaArgs),
  Number(run.autoStart),
  Number(run.autoRestart),
  JSON.stringify(run.sleep),
  run.driver,
  run.cpus,
  run.node,
]

const statementsOf = (db: DatabaseSync) => ({
  byId: db.prepare(`SELECT ${SERVER} FROM servers WHERE id = ?`),
  all: db.prepare(`SELECT ${SERVER} FROM servers ORDER BY seq`),
  page: db.prepare(
    `SELECT ${SERVER} FROM servers WHERE seq > ?2 AND seq IN (
       SELECT seq FROM servers WHERE owner_id = ?1 UNION
       SELECT seq FROM servers JOIN members ON server_id = id WHERE account_id = ?1)
     ORDER BY seq LIMIT ?3`,
  ),
  insert: db.prepare(
    `INSERT INTO servers (id, owner_id, name, software_id, software_version, memory_mb, port, created_at,
       license_accepted_by, license_accepted_at, open_to, java_major, jvm_set, java_args, auto_start, auto_restart,
       sleep, driver, cpus, node, container, ran)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0) RETURNING ${SERVER}`,
  ),
  changeRow: db.prepare(
    `UPDATE servers SET name = ?, memory_mb = ?, port = ?, open_to = ?, java_major = ?, jvm_set = ?, java_args = ?, auto_start = ?,
       auto_restart = ?, sleep = ?, driver = ?, cpus = ?, node = ?, revision = ? WHERE id = ? AND revision = ? RETURNING ${SERVER}`,
  ),
  acceptLicense: db.prepare(
    `UPDATE servers SET license_accepted_by = ?, license_accepted_at = ?, revision = revision + 1 WHERE id = ?
     RETURNING ${SERVER}`,
  ),
  setSoftware: db.prepare(
    `UPDATE servers SET software_id = ?2, software_version = ?3,
       license_accepted_by = coalesce(?4, license_accepted_by), license_accepted_at = coalesce(?5, license_accepted_at)
     WHERE id = ?1 RETURNING ${SERVER}`,
  ),
  remove: db.prepare('DELETE FROM servers WHERE id = ?'),
  ports: db.prepare('SELECT port FROM servers'),

  countOf: db.prepare('SELECT count(*) AS count FROM servers WHERE owner_id = ?'),
  memoryOf: db.prepare('SELECT coalesce(sum(memory_mb), 0) AS sum FROM servers WHERE owner_id = ?'),
})

export type ServersTable = ReturnType<typeof serversTable>

export function serversTable(db: DatabaseSync) {
  const { byId, all, page, insert, changeRow, acceptLicense, setSoftware, remove, ports, countOf, memoryOf } =
    statementsOf(db)
  return {
    memoryOf: (ownerId: string) => Number(memoryOf.get(ownerId)?.['sum']),
    countOf: (ownerId: string) => Number(countOf.get(ownerId)?.['count']),
    byId: (id: string) => {
      const raw = byId.get(id)
      return raw ? rowOf(raw) : null
    },
    all: () => all.all().map(rowOf),
    /** At most `limit` servers owned by or shared with the account, with numbers above `after`. */
    page: (accountId: string, after: number, limit: number) => page.all(accountId, after, limit).map(rowOf),
    ports: () => new Set(ports.all().map((row) => Number(row['port']))),
    insert: (s: NewServer) =>
      rowOf(
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
          s.openTo ?? null,
          ...written({ ...USUAL_RUN, ...s }),
          s.container ?? null,
        )!,
      ),
    /** Null if the row's revision is outdated. */
    change(row: ServerRow, change: ServerChange): ServerRow | null {
      const to = { ...row, ...change }
      const raw = changeRow.get(
        to.name,
        to.memoryMb,
        to.port,
        to.openTo,
        ...written(to),
        row.revision + 1,
        row.id,
        row.revision,
      )
      return raw ? rowOf(raw) : null
    },
    /** Reverts `change` including the revision, so that readers from before see no change. */
    takeBack(changed: ServerRow, before: ServerRow): void {
      const { name, memoryMb, port, openTo, revision } = before
      changeRow.get(name, memoryMb, port, openTo, ...written(before), revision, changed.id, changed.revision)
    },
    /** `at`: ms since 1970. Null if the server is gone. */
    acceptLicense(id: string, accountId: string, at: number): ServerRow | null {
      const raw = acceptLicense.get(accountId, at, id)
      return raw ? rowOf(raw) : null
    },
    /** `license`: who accepted it, and when. Null if the server is gone. */
    setSoftware(
      id: string,
      to: { id: string; version: string },
      license: { by: string; at: number } | null = null,
    ): ServerRow | null {
      const raw = setSoftware.get(id, to.id, to.version, license?.by ?? null, license?.at ?? null)
      return raw ? rowOf(raw) : null
    },
    remove: (id: string) => void remove.run(id),
  }
}
