import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { FormerContent, ServerRef } from '../../../contract/bridge/values.ts'
import { setAside } from '../../../host/set-aside.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import { problem } from '../../base/problem.ts'
import type { Cache } from '../../views/cache/cache.ts'
import type { FormerBounds } from '../../views/cache/tables/previous-version-table.ts'
import type { Log } from '../../logging/log.ts'
import { TEXT_MOST_BYTES, textOf } from './contents.ts'

export const PREVIOUS_VERSIONS = 'former contents'

export const PREVIOUS_VERSIONS_BOUNDS: FormerBounds = {
  perFile: 20,
  bytes: 200 * 1024 * 1024,
  forMs: 30 * 24 * 60 * 60 * 1000,
}

export interface PreviousVersionsPorts {
  folder: string
  cache: Cache
  log: Log
  now: () => number
  /** Accumulated running time, in ms, by which entries age. */
  seen: () => number
  bounds?: FormerBounds
}

/** Texts from before saves and deletions. Bounded; wiped with the connection. */
export class PreviousVersions {
  readonly #ports: PreviousVersionsPorts
  /** Ids without a record yet. */
  readonly #arriving = new Set<string>()

  constructor(ports: PreviousVersionsPorts) {
    this.#ports = ports
  }

  /** Removes old entries. Moves files without a record aside: after a crash they may be the only copies. */
  async sweep(): Promise<void> {
    await this.#bound()
    await this.#moveStraysAside()
  }

  async #moveStraysAside(): Promise<void> {
    const { cache, folder } = this.#ports
    const there = await readdir(folder).catch(() => [])
    const known = new Set(await cache.formerIds(null, null))
    const strays = there.filter((name) => !known.has(name) && !this.#arriving.has(name))
    if (strays.length === 0) return
    setAside(
      dirname(folder),
      basename(folder),
      strays.map((name) => join(folder, name)),
    )
  }

  /** The id, or null after logging: a full disk here must not prevent saving on the server. */
  async keep(
    { connectionId, serverId }: ServerRef,
    path: string,
    content: Uint8Array,
    because: FormerContent['because'],
  ): Promise<string | null> {
    const { cache, folder, log, now, seen } = this.#ports
    const id = randomUUID()
    this.#arriving.add(id)
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(join(folder, id), content, { mode: 0o600, flag: 'wx' })
      const row = { id, path, size: content.length, at: now(), because }
      await cache.addFormer(connectionId, serverId, row, seen())
    } catch (error) {
      log.warn('a former content could not be kept', { error })
      await this.#unlink([id]).catch(() => {})
      return null
    } finally {
      this.#arriving.delete(id)
    }
    await this.#bound().catch((error: unknown) => log.warn('former contents could not be bounded', { error }))
    return id
  }

  async remove(id: string | null): Promise<void> {
    if (id === null) return
    await this.#ports.cache.removeFormer(id)
    await this.#unlink([id])
  }

  /** Newest first; all files if no path is given. */
  async list({ connectionId, serverId }: ServerRef, path?: string): Promise<FormerContent[]> {
    const rows = await this.#ports.cache.formers(connectionId, serverId, path ?? null)
    return rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() }))
  }

  /** Throws `not-found` if no longer kept, `invalid` if the editor can't show it. */
  async text(server: ServerRef, id: string): Promise<string> {
    const { size, file } = await this.#at(server, id)
    const bytes = size > TEXT_MOST_BYTES ? null : await readFile(file).catch(gone)
    const text = bytes && textOf(bytes)
    if (text === null) throw problem('invalid', localized('file.former-no-text'))
    return text
  }

  async #at({ connectionId, serverId }: ServerRef, id: string) {
    const row = await this.#ports.cache.former(connectionId, serverId, id)
    return row ? { ...row, file: join(this.#ports.folder, row.id) } : gone()
  }

  async moved({ connectionId, serverId }: ServerRef, from: string, to: string): Promise<void> {
    await this.#ports.cache.moveFormers(connectionId, serverId, from, to)
  }

  /** Also removes files of unknown owner: they may belong to the connection. */
  async wipe(connectionId: string, serverId?: string): Promise<void> {
    if (serverId === undefined) await this.#moveStraysAside()
    const ids = await this.#ports.cache.formerIds(connectionId, serverId ?? null)
    await this.#unlink(ids)
    for (const id of ids) await this.#ports.cache.removeFormer(id)
  }

  async #bound(): Promise<void> {
    const { bounds = PREVIOUS_VERSIONS_BOUNDS, cache, seen } = this.#ports
    await this.#unlink(await cache.boundFormers(bounds, seen()))
  }

  async #unlink(names: string[]): Promise<void> {
    for (const name of names) await rm(join(this.#ports.folder, name), { force: true })
  }
}

function gone(): never {
  throw problem('not-found', localized('file.former-gone'))
}
