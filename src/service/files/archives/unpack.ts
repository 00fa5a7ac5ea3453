import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import nodePath from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { refusal, Refusal } from '../../base/refusal.ts'
import type { Reservation } from '../quota/reservations.ts'
import type { JobProgress } from '../jobs.ts'
import { joined, MOST_DEPTH, splitLast } from '../../../contract/rules/paths.ts'
import { newPartsOf } from '../names/names.ts'
import { requireSize } from '../write/commit-file.ts'
import { asRefusal, nameInvalid, notFolder } from '../names/refusals.ts'
import type { ServerFiles } from '../server-files.ts'
import { flushFile } from '../safe-fs/copy-tree.ts'
import type { OmissionReason } from '../omissions.ts'
import { entryParts } from './names/entry-parts.ts'
import { eachOf } from '../safe-fs/walk.ts'

/** Most files and folders of an archive. */
export const MOST_ENTRIES = 500_000
/** Most characters of all its names together: they are held until everything is in its place. */
const MOST_NAMES = 32 * 1024 * 1024
/** Most characters of one name. */
const NAME_MOST = 4096
/** Most entries that lie in the same folder: its list is read as a whole each time. */
const MOST_IN_FOLDER = 100_000
/** From this size on, in bytes, what comes out is held against the size of the archive. */
const RATIO_FROM = 256 * 1024 * 1024
/** An honest archive is not this many times as large unpacked: Deflate reaches 1032 with nothing but zeros. */
const MOST_RATIO = 250

export interface UnpackingOptions {
  own: ServerFiles
  /** Folder of the staging area. */
  root: string
  archiveBytes: number
  /** Where it goes in the end, as a contract path. */
  to: string
  /** Bytes that fit on the disk and into the quota at the beginning. */
  free: number
  /** Grows with what comes. */
  reservation: Reservation
  progress: JobProgress
}

/** Gathers what an archive holds in a folder of the staging area, within bounds. Nothing of it is visible yet. */
export class Unpacking {
  /** Times of the files that lie in the staging folder, in ms since 1970, by contract path from the folder they go to. */
  readonly files = new Map<string, number | null>()
  /** Folders that stand in the archive, as contract paths. */
  readonly folders = new Set<string>()
  readonly #options: UnpackingOptions
  readonly #depth: number
  readonly #made = new Set<string>()
  readonly #inFolder = new Map<string, number>()
  #bytes = 0
  #entries = 0
  #nameCharacters = 0
  #cameOut = 0

  constructor(options: UnpackingOptions) {
    this.#options = options
    this.#depth = MOST_DEPTH - options.to.split('/').filter(Boolean).length
  }

  /** Throws where an archive says by itself that it is too large. */
  announce(bytes: number, entries: number): void {
    if (entries > MOST_ENTRIES) throw tooMany()
    this.#checkBytes(bytes)
  }

  /** Where a file of this name belongs; null where it can't be here, which is noted. Throws as `folder` does. */
  pathOf(name: string): string | null {
    const path = this.#pathOf(name)
    return path === '' ? this.#omit(name, 'name') : path
  }

  /** Takes a folder. Throws 422 `files.outside` for a name that means harm, and where there are too many. */
  folder(name: string): void {
    const path = this.#pathOf(name)
    if (path) this.folders.add(path)
  }

  /** One odd name costs that entry alone: where it can't be here, that is noted, and the answer null. */
  #pathOf(name: string): string | null {
    this.#countEntry(name)
    const parts = entryParts(name)
    const path = parts.join('/')
    // Left out like an odd name: to refuse the archive would cost all of it.
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

  /** Notes an entry that is left out. Throws where there are too many. */
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

  /** So many bytes came out of what packs the archive as a whole. Throws where they are more than honest ones give. */
  cameOut(bytes: number): void {
    this.#options.progress.signal.throwIfAborted()
    this.#requireHonest((this.#cameOut += bytes))
  }

  /** Path of the system of a file in the staging folder. */
  tempOf(path: string): string {
    return nodePath.join(this.#options.root, ...path.split('/'))
  }

  /**
   * Takes a file at a path that `pathOf` has answered. `size` is what the archive says; more than that is cut off with an
   * error.
   */
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

  /** Throws 409 `files.not-folder` where a folder, or one above it, is a file in the archive. */
  requireNoFile(folder: string): void {
    for (let path = folder; path !== ''; path = splitLast(path).folder)
      if (this.files.has(path)) throw notFolder(joined(this.#options.to, path))
  }

  /** Brings all files to the disk: none may have its name before its bytes are there. Throws when cancelled. */
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
