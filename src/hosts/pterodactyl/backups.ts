import type { z } from 'zod'
import type { Backup } from '../../contract/areas/backups.ts'
import { type HostBytes, type HostCall, hostRefusal } from '../base/adapter.ts'
import { PanelBackup, SignedAddress, timeOf } from './answers.ts'
import type { Caller } from '../base/body.ts'
import type { PanelApi } from './panel-api.ts'
import { pathOf, type PanelServers } from './servers.ts'
import { openSigned } from './signed-address.ts'

type BackupEntry = z.input<typeof Backup>

/** Backups that the host keeps. It tells neither what is in them nor how far one has come. */
export class PanelBackups {
  readonly #api: PanelApi
  readonly #servers: PanelServers
  /** The one that was asked to be brought back last, by server. */
  readonly #restoring = new Map<string, string>()

  constructor(api: PanelApi, servers: PanelServers) {
    this.#api = api
    this.#servers = servers
  }

  async list(id: string, caller: Caller): Promise<BackupEntry[]> {
    const found = await this.#all(id, caller)
    const restoring = await this.#restoringOf(id, caller)
    return found
      .map((backup) => entryOf(backup, backup.uuid === restoring))
      .sort((a, b) => (b.createdAt ?? '').localeCompare(a.createdAt ?? ''))
  }

  async create(id: string, name: string | undefined, caller: Caller): Promise<BackupEntry> {
    const { feature_limits: limits } = await this.#servers.details(id, caller)
    if (limits?.backups === 0) throw hostRefusal(409, 'host.no-backups')
    const made = await this.#api.one(`${pathOf(id)}/backups`, PanelBackup, caller, {}, { name })
    return entryOf(made, false)
  }

  /** The panel turns its lock the other way round, whichever way that is. */
  async lock(id: string, backupId: string, locked: boolean, caller: Caller): Promise<BackupEntry> {
    const path = `${pathOf(id)}/backups/${encodeURIComponent(backupId)}`
    const now = await this.#api.one(path, PanelBackup, caller)
    if ((now.is_locked ?? false) === locked) return entryOf(now, false)
    return entryOf(await this.#api.one(`${path}/lock`, PanelBackup, caller, {}, {}), false)
  }

  async remove(id: string, backupId: string, caller: Caller): Promise<void> {
    const path = `${pathOf(id)}/backups/${encodeURIComponent(backupId)}`
    await this.#api.send(path, caller, { method: 'DELETE' })
  }

  /** Deletes what is there: otherwise newer files would stay among the old ones. */
  async restore(id: string, backupId: string, caller: Caller): Promise<void> {
    const path = `${pathOf(id)}/backups/${encodeURIComponent(backupId)}/restore`
    await this.#api.send(path, caller, { method: 'POST', json: { truncate: true } })
    this.#restoring.set(id, backupId)
  }

  /** All of it, a `.tar.gz` with the host's checksum. Only some hosts can send the rest of one. */
  async content(
    id: string,
    backupId: string,
    caller: Caller & Pick<HostCall<unknown>, 'header' | 'set'>,
  ): Promise<HostBytes> {
    const path = `${pathOf(id)}/backups/${encodeURIComponent(backupId)}`
    const { uuid, checksum } = await this.#api.one(path, PanelBackup, caller)
    const [, sha1] = /^sha1:([0-9a-f]{40})$/i.exec(checksum ?? '') ?? []
    if (sha1) caller.set('repr-digest', `sha=:${Buffer.from(sha1, 'hex').toString('base64')}:`)
    caller.set('etag', `"${uuid}"`)
    const { url } = await this.#api.one(`${path}/download`, SignedAddress, caller)
    return openSigned(this.#api, url, caller, caller.header('range'))
  }

  #all(id: string, caller: Caller): Promise<z.output<typeof PanelBackup>[]> {
    return this.#api.all(`${pathOf(id)}/backups`, PanelBackup, caller, { per_page: 50 })
  }

  async #restoringOf(id: string, caller: Caller): Promise<string | null> {
    const asked = this.#restoring.get(id)
    if (asked === undefined) return null
    const { status } = await this.#servers.details(id, caller)
    if (status === 'restoring_backup') return asked
    this.#restoring.delete(id)
    return null
  }
}

function entryOf(
  {
    uuid,
    name,
    is_successful,
    is_locked,
    is_scheduled,
    bytes,
    created_at,
    completed_at,
  }: z.output<typeof PanelBackup>,
  isRestoring: boolean,
): BackupEntry {
  return {
    id: uuid,
    name,
    cause: is_scheduled ? 'schedule' : 'manual',
    state: !completed_at ? 'running' : is_successful === false ? 'failed' : 'done',
    createdAt: timeOf(created_at),
    bytes: completed_at ? bytes : null,
    locked: is_locked,
    ...(isRestoring && { progress: { kind: 'restore' } }),
  }
}
