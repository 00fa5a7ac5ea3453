import { pipeline, Readable, Transform } from 'node:stream'
import type { z } from 'zod'
import type { FileEntry } from '../../contract/areas/values/file-values.ts'
import { refusalText } from '../../contract/messages/refusals/index.ts'
import { nameOf } from '../../contract/rules/paths.ts'
import { type HostBytes, HostRefusal, hostRefusal } from '../base/adapter.ts'
import { type Caller, collect, lastLines, textTooLong } from '../base/body.ts'
import { fileExists, type FileResult, resultOf } from '../base/file-results.ts'
import { type GameFiles, wholeFiles } from '../game/game-files.ts'
import { FileInfo, type FileObject, Logs } from './answers.ts'
import { type ExarotonApi, filePath, serverPath } from './exaroton-api.ts'
import { type ExarotonServers, isAtRest, ONLINE } from './servers.ts'

type Entry = z.input<typeof FileEntry>

/** What is written at once, MB: a text in the editor. */
const TEXT_MOST = 16
/** What is known of a state counts for so long, ms. */
const STATE_MS = 10_000
/** When a write is worth another try, s. The queue tries six times: an upload waits ten minutes. */
const UNSETTLED_S = 120
const LOG = 'logs/latest.log'

interface UploadRequest {
  path: string
  conflict: string
  file: Readable
}

/** Paths in the contract's form: without a leading slash. There is no move, no range and no time of change. */
export class ExarotonFiles {
  readonly #api: ExarotonApi
  readonly #servers: ExarotonServers
  readonly #settled = new Map<string, number>()

  constructor(api: ExarotonApi, servers: ExarotonServers) {
    this.#api = api
    this.#servers = servers
  }

  async list(id: string, path: string, caller: Caller): Promise<Entry[]> {
    const { children } = await this.#info(id, path, caller)
    if (!children) throw hostRefusal(404, 'exaroton.not-found')
    return children.flatMap((child) => (child ? [entryOf(child)] : []))
  }

  async read(id: string, path: string, caller: Caller): Promise<HostBytes> {
    const { body, size } = await this.#api.bytes(filePath(id, 'data', path), caller)
    return { stream: body, size }
  }

  /** As the game's own. */
  game(id: string): GameFiles {
    return wholeFiles(
      (path, caller) => this.read(id, path, caller),
      (path, content, caller) => this.write(id, path, content, false, caller),
    )
  }

  /** The newest lines of the log; null if there are none to be had now. */
  async log(id: string, caller: Caller): Promise<string[] | null> {
    try {
      return await lastLines((await this.read(id, LOG, caller)).stream)
    } catch (error) {
      if (!(error instanceof HostRefusal)) throw error
    }
    const { content } = await this.#api.read(`${serverPath(id)}/logs`, Logs, caller)
    return content ? lastLines(Readable.from([Buffer.from(content)])) : null
  }

  async write(id: string, path: string, content: Readable, isNew: boolean, caller: Caller): Promise<Entry> {
    const bytes = await collect(content, TEXT_MOST * 1024 * 1024, textTooLong(TEXT_MOST))
    await this.#requireSettled(id, caller)
    if (isNew && (await this.#entry(id, path, caller))) throw hostRefusal(412, 'files.exists', { path })
    await this.#put(id, path, bytes, caller)
    return { name: nameOf(path), kind: 'file', size: bytes.length }
  }

  async makeFolder(id: string, path: string, mustBeNew: boolean, caller: Caller): Promise<Entry> {
    // Folders that may be there belong to an upload.
    await this.#requireSettled(id, caller, !mustBeNew)
    const there = await this.#entry(id, path, caller)
    if (there && (mustBeNew || there.kind !== 'folder')) throw fileExists(path)
    if (there) return there
    await this.#api.send(filePath(id, 'data', path), caller, { method: 'PUT', type: 'inode/directory' })
    return { name: nameOf(path), kind: 'folder' }
  }

  /** For good: there is no trash. */
  async remove(id: string, path: string, caller: Caller): Promise<FileResult> {
    return resultOf(path, async () => {
      await this.#requireSettled(id, caller)
      await this.#api.send(filePath(id, 'data', path), caller, { method: 'DELETE' })
      return 'done'
    })
  }

  async upload(id: string, { path, conflict, file }: UploadRequest, caller: Caller): Promise<Entry> {
    await this.#requireSettled(id, caller, true)
    const there = await this.#entry(id, path, caller)
    if (there && (conflict !== 'replace' || there.kind === 'folder')) throw fileExists(path)
    let size = 0
    const counted = new Transform({
      transform: (piece: Buffer, _encoding, done) => {
        size += piece.length
        done(null, piece)
      },
    })
    // Either may have ended by now: whoever sends it is told by its bytes.
    pipeline(file, counted, () => undefined)
    await this.#put(id, path, counted, caller)
    return { name: nameOf(path), kind: 'file', size }
  }

  async #put(id: string, path: string, bytes: Readable | Uint8Array, caller: Caller): Promise<void> {
    const type = 'application/octet-stream'
    await this.#api.send(filePath(id, 'data', path), caller, { method: 'PUT', bytes, type })
  }

  #info(id: string, path: string, caller: Caller): Promise<FileInfo> {
    return this.#api.read(filePath(id, 'info', path), FileInfo, caller)
  }

  async #entry(id: string, path: string, caller: Caller): Promise<Entry | null> {
    try {
      return entryOf({ ...(await this.#info(id, path, caller)), name: nameOf(path) })
    } catch (error) {
      if (error instanceof HostRefusal && error.status === 404) return null
      throw error
    }
  }

  /** While a server is on its way, its files are between storage and a machine: a change could be lost. */
  async #requireSettled(id: string, caller: Caller, isUpload = false): Promise<void> {
    const known = this.#servers.known(id)
    const isRecent = performance.now() - (this.#settled.get(id) ?? -Infinity) < STATE_MS
    const { status } = known && isRecent ? known : await this.#servers.look(id, caller)
    if (status !== ONLINE && !isAtRest(status)) {
      const told = refusalText(isUpload ? 'exaroton.moving-files.upload' : 'exaroton.moving-files')
      throw new HostRefusal(423, told, { retryAfter: String(UNSETTLED_S) })
    }
    this.#settled.set(id, performance.now())
  }
}

function entryOf({ name, isDirectory, size }: FileObject): Entry {
  return { name, kind: isDirectory ? 'folder' : 'file', size: isDirectory ? null : size }
}
