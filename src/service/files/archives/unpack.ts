import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import nodePath from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { refusal } from '../../refusal.ts'
import type { Reservation } from '../quota/reservations.ts'
import type { JobProgress } from '../jobs.ts'
import { splitLast } from '../../../contract/pure/paths.ts'
import { newPartsOf } from '../names.ts'
import { requireSize } from '../write/commit-file.ts'
import { asRefusal, nameInvalid } from '../refusals.ts'
import type { ServerFiles } from '../server-files.ts'
import { flushFile } from '../safe-fs/copy-tree.ts'
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

/** Gathers what an archive holds in a folder of the staging area, within bounds. Nothing of it is visible yet. */
export class Unpacking {
  /** Times of the files that lie in the staging folder, in ms since 1970, by contract path from the folder they go to. */
  readonly files = new Map<string, number | null>()
  /** Folders that stand in the archive, as contract paths. */
  readonly folders = new Set<string>()
  readonly #own: ServerFiles
  readonly #root: string
  readonly #progress: JobProgress
  readonly #archiveBytes: number
  readonly #free: number
  readonly #reservation: Reservation
  readonly #made = new Set<string>()
  readonly #inFolder = new Map<string, number>()
  #bytes = 0
  #entries = 0
  #nameCharacters = 0
  #cameOut = 0

  /** @param free bytes that fit on the disk and into the quota at the beginning. @param reservation grows with what comes. */
  constructor(
    own: ServerFiles,
    root: string,
    archiveBytes: number,
    free: number,
    reservation: Reservation,
    progress: JobProgress,
  ) {
    this.#reservation = reservation
    this.#own = own
    this.#root = root
    this.#archiveBytes = archiveBytes
    this.#free = free
    this.#progress = progress
  }

  /** Throws where an archive says by itself that it is too large. */
  announce(bytes: number, entries: number): void {
    if (entries > MOST_ENTRIES) throw tooMany()
    this.#checkBytes(bytes)
  }

  /** Parts of a name of the archive. Throws 422 `files.outside` or `files.name-invalid`. */
  partsOf(name: string): string[] {
    this.#progress.signal.throwIfAborted()
    if (++this.#entries > MOST_ENTRIES) throw tooMany()
    if (name.length > NAME_MOST) throw nameInvalid(name.slice(0, 200), 'too-long')
    if ((this.#nameCharacters += name.length) > MOST_NAMES) throw tooMany()
    let start = 0
    let end = name.length
    // Some tools write `./` before every name. By hand: a pattern would look at a row of slashes once for each of them.
    while (name.startsWith('./', start)) start += 2
    while (end > start && name[end - 1] === '/') end--
    const parts = newPartsOf(name.slice(start, end))
    const folder = splitLast(parts.join('/')).folder
    const held = (this.#inFolder.get(folder) ?? 0) + 1
    if (held > MOST_IN_FOLDER) throw tooMany()
    this.#inFolder.set(folder, held)
    return parts
  }

  /** So many bytes came out of what packs the archive as a whole. Throws where they are more than honest ones give. */
  cameOut(bytes: number): void {
    this.#progress.signal.throwIfAborted()
    this.#requireHonest((this.#cameOut += bytes))
  }

  /** Path of the system of a file in the staging folder. */
  tempOf(path: string): string {
    return nodePath.join(this.#root, ...path.split('/'))
  }

  folder(name: string): void {
    const parts = this.partsOf(name === './' || name === '.' ? '' : name)
    if (parts.length > 0) this.folders.add(parts.join('/'))
  }

  /** Takes a file. `size` is what the archive says; more than that is cut off with an error. */
  async file(
    name: string,
    size: number,
    content: Buffer | Readable,
    about: { modifiedAt: Date; mode: number },
  ) {
    const parts = this.partsOf(name)
    if (parts.length === 0) throw broken()
    requireSize(this.#own, size)
    await this.#reservation.grow(size)
    const temp = nodePath.join(this.#root, ...parts)
    const folder = nodePath.dirname(temp)
    const mode = about.mode & 0o100 ? 0o700 : 0o600
    try {
      if (!this.#made.has(folder)) await mkdir(folder, { recursive: true, mode: 0o700 })
      this.#made.add(folder)
      if (Buffer.isBuffer(content)) {
        this.#count(content.length)
        await writeFile(temp, content, { mode })
      } else {
        await pipeline(content, this.#counting(), createWriteStream(temp, { mode }), {
          signal: this.#progress.signal,
        })
      }
    } catch (error) {
      throw asRefusal(error, parts.join('/'))
    }
    this.#reservation.wrote(size)
    this.#progress.add(0, 1)
    const ms = about.modifiedAt.getTime()
    this.files.set(parts.join('/'), Number.isFinite(ms) ? ms : null)
  }

  /** Brings all files to the disk: none may have its name before its bytes are there. Throws when cancelled. */
  async flush(): Promise<void> {
    await eachOf([...this.files.keys()], async (path) => {
      this.#progress.signal.throwIfAborted()
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
    this.#progress.add(bytes, 0)
  }

  #requireHonest(bytes: number): void {
    if (bytes > RATIO_FROM && bytes > this.#archiveBytes * MOST_RATIO) {
      throw refusal(422, 'files.archive-bomb', { ratio: MOST_RATIO })
    }
  }

  #checkBytes(bytes: number): void {
    this.#requireHonest(bytes)
    if (bytes > this.#free) {
      throw refusal(507, 'files.disk-full.unpacked', { free: this.#free })
    }
  }
}

export const broken = () => refusal(422, 'files.archive-broken')

export const swollen = () => refusal(422, 'files.archive-bomb.beside')

export const tooMany = () =>
  refusal(422, 'files.archive-too-many', { files: MOST_ENTRIES, inFolder: MOST_IN_FOLDER })
