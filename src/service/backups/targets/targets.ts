import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, stat, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { z } from 'zod'
import type { backupTargets as operations, BackupTarget } from '../../../contract/areas/backup-targets.ts'
import { type Clock, isoTime } from '../../base/clock.ts'
import { Refusal, refusal, type RefusalReport } from '../../../host/refusal.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import type { BackupTargetRow } from '../../store/backup-targets.ts'
import type { Store } from '../../store/store.ts'
import { makePassword, newPassword } from '../restic/repository.ts'
import type { ResticEngine } from '../restic/restic-engine.ts'
import { accessTo, locationOf, targetFiles } from './target-place.ts'
import {
  forgetHostKey,
  hostKeyOf,
  publicKeyOf,
  readSecret,
  requireSecret,
  writeSecret,
} from './target-secrets.ts'
import { Target } from './target.ts'

const TARGETS_MOST = 20

export interface TargetsPorts {
  store: Pick<Store, 'backupTargets'>
  /** Of all targets: their passwords and keys. */
  folder: string
  engine: ResticEngine
  clock: Pick<Clock, 'now'>
}

type CopyView = { id: string; name: string | null; error: RefusalReport | null }
type TargetView = z.input<typeof BackupTarget>
type NewTarget = z.output<typeof operations.addTarget.body>

/** Where copies of backups go. */
export class Targets {
  readonly #ports: TargetsPorts
  readonly #opened = new Map<string, Target>()

  constructor(ports: TargetsPorts) {
    this.#ports = ports
  }

  all(): BackupTargetRow[] {
    return this.#ports.store.backupTargets.all()
  }

  /** By backup: the targets that hold a copy, or could not take one. */
  copiesOf(serverId: string): ReadonlyMap<string, CopyView[]> {
    const names = new Map(this.all().map(({ id, name }) => [id, name]))
    const views = new Map<string, CopyView[]>()
    for (const { targetId: id, backupId, state, error } of this.#ports.store.backupTargets.copiesOf(serverId))
      if (state !== 'unwanted')
        views.set(backupId, [...(views.get(backupId) ?? []), { id, name: names.get(id) ?? null, error }])
    return views
  }

  /** Throws 404 `backups.no-target`. */
  find(id: string): BackupTargetRow {
    const row = this.#ports.store.backupTargets.byId(id)
    if (row) return row
    throw refusal(404, 'backups.no-target')
  }

  async view(row: BackupTargetRow): Promise<TargetView> {
    const { id, name, place, reachedAt, error } = row
    const isSftp = place.kind === 'sftp'
    const folder = this.#folderOf(id)
    return {
      ...{ id, name, kind: place.kind, location: locationOf(place), error },
      reachedAt: reachedAt === null ? null : isoTime(reachedAt),
      ...(isSftp && { hostKey: await hostKeyOf(folder), publicKey: await publicKeyOf(folder) }),
      freeBytes: place.kind === 'folder' ? await freeIn(place.path) : null,
    }
  }

  /**
   * Adds only what can be reached; SFTP with a key that is made here has to wait for it to be accepted. Answers the
   * password of what is kept there.
   */
  async add(
    { name, place, ...given }: NewTarget,
    signal: AbortSignal,
  ): Promise<{ row: BackupTargetRow; password: string }> {
    if (this.all().length >= TARGETS_MOST)
      throw refusal(409, 'backups.too-many-targets', { most: TARGETS_MOST })
    if (place.kind === 'folder') await requireFolder(place.path)
    const secret = given.secret ?? null
    requireSecret(place, secret)
    await this.#ports.engine.require(signal)
    const id = randomUUID()
    const folder = this.#folderOf(id)
    const password = given.password ?? newPassword()
    try {
      await writeSecret(folder, place, secret)
      await makePassword(targetFiles(folder).password, password)
      const row = {
        ...{ id, name, place, createdAt: this.#ports.clock.now() },
        ...{ reachedAt: null, prunedAt: this.#ports.clock.now(), error: null },
      }
      const waits = place.kind === 'sftp' && secret === null
      if (!waits) await (await this.#open(row)).reach(true, signal)
      signal.throwIfAborted()
      const added = waits ? row : { ...row, reachedAt: this.#ports.clock.now() }
      this.#ports.store.backupTargets.put(added)
      return { row: added, password }
    } catch (error) {
      this.#opened.delete(id)
      await removeTree(folder)
      throw error
    }
  }

  async change(
    id: string,
    { name, secret, trustNewHostKey }: z.output<typeof operations.changeTarget.body>,
  ): Promise<BackupTargetRow> {
    const row = { ...this.find(id), ...(name !== undefined && { name }) }
    if (trustNewHostKey) await forgetHostKey(this.#folderOf(id))
    if (secret !== undefined) await writeSecret(this.#folderOf(id), row.place, secret)
    this.#opened.delete(id)
    this.#ports.store.backupTargets.put(row)
    return row
  }

  /** Its password stays in the data folder: without it, nobody can read what is kept there. */
  async remove(id: string): Promise<void> {
    const { name, place } = this.find(id)
    const folder = this.#folderOf(id)
    const kept = path.join(this.#ports.folder, 'removed')
    const password = await readFile(targetFiles(folder).password, 'utf8').catch(() => null)
    if (password !== null) {
      await mkdir(kept, { recursive: true, mode: 0o700 })
      const file = path.join(kept, `${id}.txt`)
      await writeFile(`${file}.new`, `${name}: ${locationOf(place)}\n${password}`, {
        mode: 0o600,
        flush: true,
      })
      await rename(`${file}.new`, file)
    }
    this.#ports.store.backupTargets.remove(id)
    this.#opened.delete(id)
    await removeTree(folder)
  }

  /** Resolves either way: the row says what happened. */
  async check(id: string, signal: AbortSignal): Promise<BackupTargetRow> {
    await this.#ports.engine.require(signal)
    const { reachedAt } = this.find(id)
    await this.within(id, (target) => target.reach(reachedAt === null, signal)).catch((error: unknown) => {
      signal.throwIfAborted()
      if (!(error instanceof Refusal)) throw error
    })
    return this.find(id)
  }

  /** Keeps whether it was reached. Rejects with what `act` does. */
  async within<T>(id: string, act: (target: Target) => Promise<T>): Promise<T> {
    try {
      const result = await act(await this.#open(this.find(id)))
      this.#note(id, { reachedAt: this.#ports.clock.now(), error: null })
      return result
    } catch (error) {
      if (error instanceof Refusal && error.code !== 'backups.not-found')
        this.#note(id, { error: error.asTold })
      throw error
    }
  }

  pruned(id: string): void {
    this.#note(id, { prunedAt: this.#ports.clock.now() })
  }

  #note(id: string, change: Partial<BackupTargetRow>): void {
    const row = this.#ports.store.backupTargets.byId(id)
    if (row) this.#ports.store.backupTargets.put({ ...row, ...change })
  }

  #folderOf(id: string): string {
    return path.join(this.#ports.folder, id)
  }

  async #open({ id, place }: BackupTargetRow): Promise<Target> {
    const known = this.#opened.get(id)
    if (known) return known
    const { engine } = this.#ports
    const folder = this.#folderOf(id)
    const secret = await readSecret(folder)
    const target = this.#opened.get(id) ?? new Target(engine, accessTo(place, secret, folder), folder)
    this.#opened.set(id, target)
    return target
  }
}

async function requireFolder(folder: string): Promise<void> {
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (path.isAbsolute(folder) && isThere) return
  throw refusal(422, 'backups.target-no-folder').at('place.path')
}

const freeIn = (folder: string): Promise<number | null> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  )
