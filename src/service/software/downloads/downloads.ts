import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as timer } from 'node:timers/promises'
import type { Dispatcher } from '../../../host/network/undici.ts'
import type { RemoteFile } from '../catalog.ts'
import { digestsOf, isTheFile } from './digests.ts'
import { download, type DownloadLimits } from './download.ts'
import { downloadFailed, keptUnreadable, tooLarge } from '../../../extensions/requests/download-refusals.ts'
import { HostPauses, type PauseFunction } from './host-pauses.ts'
import { KeptContent, keyOf } from './kept-content.ts'
import { NOTE, PartialFile, readPartialNote, removePartial } from './partial-file.ts'
import { DiskReservations } from './room.ts'
import {
  SharedTasks,
  type ProgressListener,
  type PauseListener,
  type TaskSubscriber,
} from './shared-tasks.ts'
import { outgoing } from '../../../host/network/outgoing.ts'

const CONNECT_MS = 15_000

/** Proxies for an address, in PAC format: `PROXY host:8080; DIRECT`. */
export type ResolveProxy = (address: string) => Promise<string>

/** The environment's proxy (may include credentials), else the system's, else none. Trusts the computer's CAs. */
export const outbound = (resolve?: ResolveProxy): Dispatcher =>
  outgoing({ timeout: CONNECT_MS, envProxy: true, resolve })

export interface DownloadsOptions {
  folder: string
  /** With a contact, as catalogs require. */
  userAgent: string
  /** Ms, counting across restarts. */
  seen: () => number
  /** Default: proxies from the environment, never for this computer. */
  dispatcher?: Dispatcher
  limits?: Partial<DownloadLimits>
  /** Free space to leave, in bytes. */
  spareBytes?: number
  wait?: PauseFunction
  pauses?: HostPauses
}

const pause: PauseFunction = async (ms, signal) => {
  await timer(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}

/** The largest files are modpacks of some hundred MiB. */
const LIMITS: DownloadLimits = {
  mostBytes: 4 * 1024 ** 3,
  idleMs: 30_000,
  pauseMs: (failures) => Math.min(30_000, 500 * 2 ** failures) * (0.5 + Math.random() / 2),
}
const SPARE_BYTES = 256 * 1024 * 1024
const PARTIAL_MS = 7 * 24 * 60 * 60 * 1000
/** Callers have copied a file after this time, in ms. */
const LATELY_MS = 24 * 60 * 60 * 1000

/** Downloads stored by content, shared by servers and usable offline. One object per folder and process. */
export class Downloads {
  readonly #options: DownloadsOptions
  readonly #limits: DownloadLimits
  readonly #content: KeptContent
  readonly #partials: string
  readonly #room: DiskReservations
  readonly #tasks = new SharedTasks<string>()
  readonly #pauses: HostPauses
  #ownDispatcher: Dispatcher | null = null

  constructor(options: DownloadsOptions) {
    this.#options = options
    this.#limits = { ...LIMITS, ...options.limits }
    this.#pauses = options.pauses ?? new HostPauses()
    this.#content = new KeptContent(options.folder, options.seen)
    this.#partials = path.join(options.folder, 'partial')
    mkdirSync(this.#partials, { recursive: true, mode: 0o700 })
    this.#room = new DiskReservations(options.folder, options.spareBytes ?? SPARE_BYTES)
  }

  /**
   * A verified file, named by its SHA-256. It is shared: copy or link, never write. Rejects with Refusal 502
   * `software.download-failed`, `software.download-wrong`, 422 `software.download-too-large`, 507
   * `software.disk-full`.
   */
  async fetch(file: RemoteFile, wanted: TaskSubscriber): Promise<string> {
    const { mostBytes } = this.#limits
    if (!/^https?:$/.test(URL.parse(file.url)?.protocol ?? ''))
      throw downloadFailed(file, { part: 'bad-address' })
    if (file.size !== null && file.size > mostBytes) throw tooLarge(file, file.size, mostBytes)
    return this.#tasks.join(keyOf(file), (...given) => this.#bring(file, ...given), wanted)
  }

  async has(file: RemoteFile): Promise<boolean> {
    return (await this.#content.find(file)) !== null
  }

  /** Call if a verified file turned out wrong; the next request downloads it again. */
  async forget(file: RemoteFile): Promise<void> {
    const found = await this.#content.find(file)
    if (found) await this.#content.drop(found.sha256)
  }

  /** Recently requested files stay, since a caller may be copying them. Returns the bytes freed. */
  async sweep({ ageMs, mostBytes }: { ageMs: number; mostBytes: number }): Promise<number> {
    const isBusy = (key: string) => this.#tasks.has(key)
    const now = this.#options.seen()
    const [before, lately] = [now - ageMs, now - LATELY_MS]
    const freed = await this.#content.sweep({ before, lately, mostBytes, isBusy })
    return freed + (await this.#sweepPartials(isBusy))
  }

  unusedBytes(ageMs: number): Promise<number> {
    return this.#content.bytesBefore(this.#options.seen() - ageMs)
  }

  async close(): Promise<void> {
    await this.#tasks.close()
    await this.#ownDispatcher?.destroy()
  }

  async #bring(
    file: RemoteFile,
    signal: AbortSignal,
    tell: ProgressListener,
    tellWaiting: PauseListener,
  ): Promise<string> {
    const key = keyOf(file)
    const kept = await this.#kept(file, signal, tell)
    if (kept !== null) {
      // Left by a run that ended between moving the bytes and removing the note. Failures don't matter.
      await removePartial(path.join(this.#partials, key)).catch(() => undefined)
      return kept
    }
    const partial = await PartialFile.open(this.#partials, key, file.checksum)
    try {
      if (file.size !== null) await this.#room.require(key, file, Math.max(0, file.size - partial.bytes))
      const digests = await download(file, partial, {
        key,
        dispatcher: this.#dispatcher,
        userAgent: this.#options.userAgent,
        limits: this.#limits,
        room: this.#room,
        seen: this.#options.seen,
        signal,
        ...{ tell, tellWaiting, pauses: this.#pauses, wait: this.#options.wait ?? pause },
      })
      const at = await this.#content.keep(file, partial.file, digests)
      partial.forgetNote()
      return at
    } catch (error) {
      // Can't be resumed.
      if (!partial.identity?.etag || file.checksum === null) await partial.discard()
      throw error
    } finally {
      this.#room.done(key)
    }
  }

  /** Deletes damaged files, so they are downloaded again. */
  async #kept(file: RemoteFile, signal: AbortSignal, tell: ProgressListener): Promise<string | null> {
    const found = await this.#content.find(file)
    if (!found) return null
    const at = this.#content.pathOf(found.sha256)
    // Mark as used before reading, or a sweep may remove it meanwhile.
    this.#content.use(file, found)
    const digests = await digestsOf(at, file.checksum?.algorithm ?? null, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw keptUnreadable(file)
    })
    if (digests?.sha256 !== found.sha256) {
      await this.#content.drop(found.sha256)
      return null
    }
    if (!isTheFile(file, digests)) return null
    tell(digests.size, digests.size)
    return at
  }

  get #dispatcher(): Dispatcher {
    return this.#options.dispatcher ?? (this.#ownDispatcher ??= outbound())
  }

  async #sweepPartials(isBusy: (key: string) => boolean): Promise<number> {
    let freed = 0
    const names = await readdir(this.#partials)
    for (const key of new Set(names.map((name) => path.basename(name, NOTE)))) {
      const at = path.join(this.#partials, key)
      const note = await readPartialNote(at)
      const isOld = !note || note.seenAt < this.#options.seen() - PARTIAL_MS
      if (!isOld || isBusy(key)) continue
      freed += lstatSync(at, { throwIfNoEntry: false })?.size ?? 0
      // Synchronous with the check that nobody resumes it.
      for (const name of [at, at + NOTE]) rmSync(name, { recursive: true, force: true })
    }
    return freed
  }
}
