import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as timer } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { RemoteFile } from '../catalogue.ts'
import { digestsOf, isTheFile } from './digests.ts'
import { download, type DownloadLimits } from './download.ts'
import { downloadFailed, keptUnreadable, tooLarge } from './download-refusals.ts'
import { outbound } from './outbound.ts'
import { HostPauses, type Wait } from './host-pauses.ts'
import { KeptContent, keyOf } from './kept-content.ts'
import { NOTE, PartialFile, readPartialNote, removePartial } from './partial-file.ts'
import { Room } from './room.ts'
import { SharedTasks, type TellProgress, type TellWaiting, type Wanted } from './shared-tasks.ts'

export interface DownloadsOptions {
  /** A folder of its own below the service's data folder. */
  folder: string
  /** Says who asks, with a contact: catalogues want that. */
  userAgent: string
  /** The clock that counts over restarts, in milliseconds: by it unused content ages. */
  seen: () => number
  /** How it is connected. Default: as the environment says of proxies, and never through one on this computer. */
  dispatcher?: Dispatcher
  limits?: Partial<DownloadLimits>
  /** What stays free on the disk, in bytes. */
  spareBytes?: number
  /** How time passes between two tries. */
  wait?: Wait
  pauses?: HostPauses
}

const pause: Wait = async (ms, signal) => {
  await timer(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}

/** The largest things that servers need are packs of mods, of some hundred MiB. */
const LIMITS: DownloadLimits = {
  mostBytes: 4 * 1024 ** 3,
  idleMs: 30_000,
  pauseMs: (failures) => Math.min(30_000, 500 * 2 ** failures) * (0.5 + Math.random() / 2),
}
const SPARE_BYTES = 256 * 1024 * 1024
/** What of a partial file is not continued for so long is removed, in milliseconds. */
const PARTIAL_MS = 7 * 24 * 60 * 60 * 1000
/** Whoever asked for a file has copied it after so long, in milliseconds. */
const LATELY_MS = 24 * 60 * 60 * 1000

/**
 * Files of others, kept by what they are, so that several servers share them and those that are there are used without a
 * network. One object per folder and process.
 */
export class Downloads {
  readonly #options: DownloadsOptions
  readonly #limits: DownloadLimits
  readonly #content: KeptContent
  readonly #partials: string
  readonly #room: Room
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
    this.#room = new Room(options.folder, options.spareBytes ?? SPARE_BYTES)
  }

  /**
   * The path of a file that was verified just now. Its name is its SHA-256; it belongs to all who use it, so copy or link it
   * and never write to it. Who asks for the same at once shares one download. Rejects with Refusal 502
   * `software.download-failed` and `software.download-wrong`, 422 `software.download-too-large`, 507 `software.disk-full`,
   * or the signal's reason.
   */
  async fetch(file: RemoteFile, wanted: Wanted): Promise<string> {
    const { mostBytes } = this.#limits
    if (!/^https?:$/.test(URL.parse(file.url)?.protocol ?? ''))
      throw downloadFailed(file, { part: 'bad-address' })
    if (file.size !== null && file.size > mostBytes) throw tooLarge(file, file.size, mostBytes)
    return this.#tasks.join(keyOf(file), (...given) => this.#bring(file, ...given), wanted)
  }

  /** Whether a file is there, so that no network is needed for it. */
  async has(file: RemoteFile): Promise<boolean> {
    return (await this.#content.find(file)) !== null
  }

  /** Removes what is kept of a file that turned out to be another one than was wanted: it is fetched anew next time. */
  async forget(file: RemoteFile): Promise<void> {
    const found = await this.#content.find(file)
    if (found) await this.#content.drop(found.sha256)
  }

  /**
   * Removes what nobody has asked for within `ageMs`, of more than `mostBytes` what was asked for longest ago, and partial
   * files that nobody continues; never what was asked for lately, since it may be about to be copied. Servers have copies
   * of their own. Answers the bytes that became free.
   */
  async sweep({ ageMs, mostBytes }: { ageMs: number; mostBytes: number }): Promise<number> {
    const isBusy = (key: string) => this.#tasks.has(key)
    const now = this.#options.seen()
    const [before, lately] = [now - ageMs, now - LATELY_MS]
    const freed = await this.#content.sweep({ before, lately, mostBytes, isBusy })
    return freed + (await this.#sweepPartials(isBusy))
  }

  /** Bytes of what nobody has asked for within `ageMs`: what a sweep would remove of whole files. */
  unusedBytes(ageMs: number): Promise<number> {
    return this.#content.bytesBefore(this.#options.seen() - ageMs)
  }

  /** Ends what is under way; what has arrived is continued after the next start. */
  async close(): Promise<void> {
    await this.#tasks.close()
    await this.#ownDispatcher?.destroy()
  }

  async #bring(
    file: RemoteFile,
    signal: AbortSignal,
    tell: TellProgress,
    tellWaiting: TellWaiting,
  ): Promise<string> {
    const key = keyOf(file)
    const kept = await this.#kept(file, signal, tell)
    if (kept !== null) {
      // Of a run that ended between moving the bytes to their place and removing their note. Where it cannot go, nothing is amiss.
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
      // Of what nobody can continue nothing stays.
      if (!partial.identity?.etag || file.checksum === null) await partial.discard()
      throw error
    } finally {
      this.#room.done(key)
    }
  }

  /** The path of what is there already. What is damaged is thrown away, and fetched anew. */
  async #kept(file: RemoteFile, signal: AbortSignal, tell: TellProgress): Promise<string | null> {
    const found = await this.#content.find(file)
    if (!found) return null
    const at = this.#content.pathOf(found.sha256)
    // Before it is read, so that it is not too old meanwhile.
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
      // In one step with the look at whether somebody continues it.
      for (const name of [at, at + NOTE]) rmSync(name, { recursive: true, force: true })
    }
    return freed
  }
}
