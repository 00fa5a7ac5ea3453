import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import nodePath from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { refusal, Refusal } from '../../../host/refusal.ts'
import type { Reservation } from '../quota/reservations.ts'
import type { JobProgress, OmissionReason } from '../jobs.ts'
import { joined, MOST_DEPTH, splitLast } from '../../../contract/rules/paths.ts'
import { newPartsOf } from '../names/names.ts'
import { requireSize } from '../write/commit-file.ts'
import { asRefusal, nameInvalid, notFolder } from '../names/refusals.ts'
import type { ServerFiles } from '../server-files.ts'
import { flushFile } from '../safe-fs/copy-tree.ts'
import { entryParts } from './names/entry-names.ts'
import { eachOf } from '../safe-fs/walk.ts'

export const MOST_ENTRIES = 500_000
/** Limit of all names together in characters: they stay in memory until the end. */
const MOST_NAMES = 32 * 1024 * 1024
const NAME_MOST = 4096
/** Limit per folder: it is always listed as a whole. */
const MOST_IN_FOLDER = 100_000
/** The ratio is checked from this many bytes on. */
const RATIO_FROM = 256 * 1024 * 1024
/** Real archives have smaller ratios; Deflate reaches 1032 on zeros. */
const MOST_RATIO = 250

interface ArchiveExtractionOptions {
  own: ServerFiles
  root: string
  archiveBytes: number
  to: string
  /** Free bytes on disk and in the quota at the start. */
  free: number
  reservation: Reservation
  progress: JobProgress
}

/** Extracts into staging, within limits. */
export class ArchiveExtraction {
  /** Modification times in Unix ms of extracted files, by target contract path. */
  readonly files = new Map<string, number | null>()
  readonly folders = new Set<string>()
  readonly #options: ArchiveExtractionOptions
  readonly #depth: number
  readonly #made = new Set<string>()
  readonly #inFolder = new Map<string, number>()
  #bytes = 0
  #entries = 0
  #nameCharacters = 0
  #cameOut = 0

  constructor(options: ArchiveExtractionOptions) {
    this.#options = options
    this.#depth = MOST_DEPTH - options.to.split('/').filter(Boolean).length
  }

  announce(bytes: number, entries: number): void {
    if (entries > MOST_ENTRIES) throw tooMany()
    this.#checkBytes(bytes)
  }

  /** Target path of a file; null if invalid, which is reported. Throws like `folder`. */
  pathOf(name: string): string | null {
    const path = this.#pathOf(name)
    return path === '' ? this.#omit(name, 'name') : path
  }

  /** Throws 422 `files.outside` for malicious names, and if there are too many. */
  folder(name: string): void {
    const path = this.#pathOf(name)
    if (path) this.folders.add(path)
  }

  #pathOf(name: string): string | null {
    this.#countEntry(name)
    const parts = entryParts(name)
    const path = parts.join('/')
    // Skip only this entry, rather than refuse the archive.
    if (parts.length > this.#depth) return this.#omit(name, 'deep')
    try {
      newPartsOf(joined(this.#options.to, path))
    } catch (error) {
      if (error instanceof Refusal) return this.#omit(name, 'name')
      throw error
    }
    const { folder } = splitLast(path)
    const held = (this.#inFolder.get(folder) ?? 0) + 1
    if (held > MOST_IN_FOLDER) throw tooMany()
    this.#inFolder.set(folder, held)
    return path
  }

  leaveOut(name: string, reason: OmissionReason): void {
    this.#countEntry(name)
    this.#omit(name, reason)
  }

  #omit(name: string, reason: OmissionReason): null {
    this.#options.progress.leaveOut(name, reason)
    return null
  }

  #countEntry(name: string): void {
    this.#options.progress.signal.throwIfAborted()
    if (++this.#entries > MOST_ENTRIES) throw tooMany()
    if (name.length > NAME_MOST) throw nameInvalid(name.slice(0, 200), 'too-long')
    if ((this.#nameCharacters += name.length) > MOST_NAMES) throw tooMany()
  }

  /** Counts decompressed bytes. Throws if they exceed the ratio. */
  cameOut(bytes: number): void {
    this.#options.progress.signal.throwIfAborted()
    this.#requireHonest((this.#cameOut += bytes))
  }

  tempOf(path: string): string {
    return nodePath.join(this.#options.root, ...path.split('/'))
  }

  /** Takes a path from `pathOf`. `size` is declared by the archive; more content is an error. */
  async file(
    path: string,
    size: number,
    content: Buffer | Readable,
    about: { modifiedAt: Date; mode: number },
  ) {
    if (this.files.has(path)) this.#omit(path, 'twice')
    const { own, reservation, progress } = this.#options
    requireSize(own, size)
    await reservation.grow(size)
    const temp = this.tempOf(path)
    const folder = nodePath.dirname(temp)
    const mode = about.mode & 0o100 ? 0o700 : 0o600
    try {
      if (!this.#made.has(folder)) {
        this.requireNoFile(splitLast(path).folder)
        await mkdir(folder, { recursive: true, mode: 0o700 })
        this.#made.add(folder)
      }
      if (Buffer.isBuffer(content)) {
        this.#count(content.length)
        await writeFile(temp, content, { mode })
      } else {
        await pipeline(content, this.#counting(), createWriteStream(temp, { mode }), {
          signal: progress.signal,
        })
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENAMETOOLONG') throw asRefusal(error, path)
      reservation.wrote(size)
      reservation.counted(size)
      return void this.#omit(path, 'deep')
    }
    reservation.wrote(size)
    progress.add(0, 1)
    const ms = about.modifiedAt.getTime()
    this.files.set(path, Number.isFinite(ms) ? ms : null)
  }

  /** Throws 409 `files.not-folder` if the archive has a file at this path or above. */
  requireNoFile(folder: string): void {
    for (let path = folder; path !== ''; path = splitLast(path).folder)
      if (this.files.has(path)) throw notFolder(joined(this.#options.to, path))
  }

  /** Syncs all files before they get their names. Throws when canceled. */
  async flush(): Promise<void> {
    await eachOf([...this.files.keys()], async (path) => {
      this.#options.progress.signal.throwIfAborted()
      try {
        await flushFile(this.tempOf(path))
      } catch (error) {
        throw asRefusal(error, path)
      }
    })
  }

  #counting(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, callback) => {
        try {
          this.#count(chunk.length)
          callback(null, chunk)
        } catch (error) {
          callback(error as Error)
        }
      },
    })
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    this.#checkBytes(this.#bytes)
    this.#options.progress.add(bytes, 0)
  }

  #requireHonest(bytes: number): void {
    if (bytes > RATIO_FROM && bytes > this.#options.archiveBytes * MOST_RATIO) {
      throw refusal(422, 'files.archive-bomb', { ratio: MOST_RATIO })
    }
  }

  #checkBytes(bytes: number): void {
    this.#requireHonest(bytes)
    if (bytes > this.#options.free) {
      throw refusal(507, 'files.disk-full.unpacked', { free: this.#options.free })
    }
  }
}

export const broken = () => refusal(422, 'files.archive-broken')

export const unknownArchive = () => refusal(422, 'files.archive-unknown')

export const swollen = () => refusal(422, 'files.archive-bomb.beside')

export const tooMany = () =>
  refusal(422, 'files.archive-too-many', { files: MOST_ENTRIES, inFolder: MOST_IN_FOLDER })
