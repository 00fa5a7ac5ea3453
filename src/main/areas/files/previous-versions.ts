import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FormerContent, ServerRef } from '../../../contract/bridge/values.ts'
import { setAside } from '../../../host/set-aside.ts'
import { say } from '../../../contract/messages/say.ts'
import { problem } from '../../base/problem.ts'
import type { Cache } from '../../views/cache/cache.ts'
import type { FormerBounds, FormerRow } from '../../views/cache/tables/previous-version-table.ts'
import type { Log } from '../../logging/log.ts'
import { TEXT_MOST_BYTES, textOf } from './text.ts'

export const PREVIOUS_VERSIONS = 'former contents'

export const PREVIOUS_VERSIONS_BOUNDS: FormerBounds = {
  perFile: 20,
  bytes: 200 * 1024 * 1024,
  forMs: 30 * 24 * 60 * 60 * 1000,
}

/** Discarded if longer than `most` bytes. */
export interface StreamedContent {
  stream: Readable
  most: number
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

/** Content from before saves and deletions, to undo both without a trash. Bounded; wiped with the connection. */
export class PreviousVersions {
  readonly #ports: PreviousVersionsPorts
  /** Ids without a record yet. */
  readonly #arriving = new Set<string>()

  constructor(ports: PreviousVersionsPorts) {
    this.#ports = ports
  }

  /** Bytes one deletion may use, so that other versions survive. */
  get room(): number {
    return (this.#ports.bounds ?? PREVIOUS_VERSIONS_BOUNDS).bytes / 2
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
    content: Uint8Array | StreamedContent,
    because: FormerContent['because'],
  ): Promise<string | null> {
    const { cache, folder, log, now, seen } = this.#ports
    const id = randomUUID()
    this.#arriving.add(id)
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const size = await write(join(folder, id), content)
      await cache.addFormer(connectionId, serverId, { id, path, size, at: now(), because }, seen())
    } catch (error) {
      log.warn('a former content could not be kept', { error })
      if (!(content instanceof Uint8Array)) content.stream.destroy()
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
    if (text === null) throw problem('invalid', say('file.former-no-text'))
    return text
  }

  async open(server: ServerRef, id: string): Promise<{ path: string; size: number; stream: Readable }> {
    const { path, size, file } = await this.#at(server, id)
    const stream = createReadStream(file)
    await once(stream, 'open').catch(gone)
    // Prevents a crash if the disk fails before reading starts; readers still get the error.
    stream.on('error', () => undefined)
    return { path, size, stream }
  }

  find({ connectionId, serverId }: ServerRef, id: string): Promise<FormerRow | null> {
    return this.#ports.cache.former(connectionId, serverId, id)
  }

  async #at(server: ServerRef, id: string) {
    const row = await this.find(server, id)
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
  throw problem('not-found', say('file.former-gone'))
}

/** Readable by this user only; returns the size. */
async function write(file: string, content: Uint8Array | StreamedContent): Promise<number> {
  const how = { mode: 0o600, flags: 'wx' } as const
  if (content instanceof Uint8Array) {
    await writeFile(file, content, { mode: how.mode, flag: how.flags })
    return content.length
  }
  const { stream, most } = content
  let size = 0
  await pipeline(
    stream,
    async function* (pieces: AsyncIterable<Uint8Array>) {
      for await (const piece of pieces) {
        size += piece.length
        if (size > most) throw new Error('it is larger than there is room for')
        yield piece
      }
    },
    createWriteStream(file, how),
  )
  return size
}
