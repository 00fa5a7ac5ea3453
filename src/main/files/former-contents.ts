import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FormerContent, ServerRef } from '../../contract/bridge/values.ts'
import { problem } from '../api/problem.ts'
import type { Cache } from '../cache/cache.ts'
import type { FormerBounds } from '../cache/former-table.ts'
import type { Log } from '../logging/log.ts'
import { textOf } from './text.ts'

/** What is kept of former contents unless a test says otherwise. */
export const FORMER_BOUNDS: FormerBounds = {
  perFile: 20,
  bytes: 200 * 1024 * 1024,
  forMs: 30 * 24 * 60 * 60 * 1000,
}

export interface FormerPorts {
  /** Folder of this part alone; it is made, readable by this user only. */
  folder: string
  cache: Cache
  log: Log
  now: () => number
  bounds?: FormerBounds
}

/**
 * Contents that files had before they were saved over or deleted, kept on this computer so that both can be undone
 * wherever the service has no trash. Bounded; wiped with their connection.
 */
export class FormerContents {
  readonly #ports: FormerPorts
  #sweeping: Promise<void> = Promise.resolve()

  constructor(ports: FormerPorts) {
    this.#ports = ports
  }

  /** Removes what is too old, and files of which nothing is noted down because the panel was killed in between. */
  sweep(): Promise<void> {
    this.#sweeping = this.#sweep()
    return this.#sweeping
  }

  async #sweep(): Promise<void> {
    const { cache, folder } = this.#ports
    await this.#bound()
    const known = new Set(await cache.formerIds(null, null))
    const there = await readdir(folder).catch(() => [])
    await this.#unlink(there.filter((name) => !known.has(name)))
  }

  /**
   * Keeps a content; answers its id, for `drop`. Null where it could not be kept, which is logged: a full disk here must
   * not stop somebody from saving there.
   */
  async keep(
    { connectionId, serverId }: ServerRef,
    path: string,
    bytes: Uint8Array,
    because: FormerContent['because'],
  ): Promise<string | null> {
    const { cache, folder, log, now } = this.#ports
    const id = randomUUID()
    try {
      // Sweeping takes a file of which nothing is noted down yet for one that was left over.
      await this.#sweeping.catch(() => {})
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(join(folder, id), bytes, { mode: 0o600, flag: 'wx' })
      await cache.addFormer(connectionId, serverId, { id, path, size: bytes.length, at: now(), because })
    } catch (error) {
      log.warn('a former content could not be kept', { error })
      await this.#unlink([id]).catch(() => {})
      return null
    }
    await this.#bound().catch((error: unknown) => log.warn('former contents could not be bounded', { error }))
    return id
  }

  /** Lets go of a content that is not former after all: what should have replaced it failed. */
  async drop(id: string | null): Promise<void> {
    if (id === null) return
    await this.#ports.cache.dropFormer(id)
    await this.#unlink([id])
  }

  /** Newest first; of one file, or of all files of the server. */
  async list({ connectionId, serverId }: ServerRef, path?: string): Promise<FormerContent[]> {
    const rows = await this.#ports.cache.formers(connectionId, serverId, path ?? null)
    return rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() }))
  }

  /** Throws `not-found` where it is no longer kept. */
  async text({ connectionId, serverId }: ServerRef, id: string): Promise<string> {
    const { cache, folder } = this.#ports
    const row = await cache.former(connectionId, serverId, id)
    const bytes = row && (await readFile(join(folder, row.id)).catch(() => null))
    const text = bytes && textOf(bytes)
    if (text === null) throw problem('not-found', 'This former content is no longer kept.')
    return text
  }

  /** A file or a folder is elsewhere now. */
  async moved({ connectionId, serverId }: ServerRef, from: string, to: string): Promise<void> {
    await this.#ports.cache.moveFormers(connectionId, serverId, from, to)
  }

  /** Removes everything of a connection, or of one of its servers. */
  async wipe(connectionId: string, serverId?: string): Promise<void> {
    const ids = await this.#ports.cache.formerIds(connectionId, serverId ?? null)
    await this.#unlink(ids)
    for (const id of ids) await this.#ports.cache.dropFormer(id)
  }

  async #bound(): Promise<void> {
    const { bounds = FORMER_BOUNDS, cache, now } = this.#ports
    await this.#unlink(await cache.boundFormers(bounds, now()))
  }

  async #unlink(names: string[]): Promise<void> {
    for (const name of names) await rm(join(this.#ports.folder, name), { force: true })
  }
}
