import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, type BigIntStats } from 'node:fs'
import { lstat, open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Reservation } from './quota/reservations.ts'
import { HardLinks } from './safe-fs/hard-links.ts'
import { joined, splitLast } from '../../contract/rules/paths.ts'
import { partsOf, requireDepth } from './names/names.ts'
import {
  linkTarget,
  makeBelow,
  openExisting,
  openFolder,
  requireComing,
  throughLink,
  type OpenedFolder,
  type OpenFolderOptions,
} from './safe-fs/opened-folder.ts'
import { PartialUploads } from './quota/partial-uploads.ts'
import { commitFile, type Committed, type CommitOptions } from './write/commit-file.ts'
import { asRefusal, isFolder, notFile, outside, refusing } from './names/refusals.ts'
import { Refusal } from '../base/refusal.ts'
import { Space } from './quota/space.ts'
import { eachOf } from './safe-fs/walk.ts'
import { READ_FLAGS } from './safe-fs/open-in.ts'
import { Yielder } from '../base/yield.ts'
import type { DiskPath } from './names/raw-names.ts'

export interface ServerFilesOptions {
  serverId: string
  /** The server's folder, which everything stays in. */
  root: string
  /** Private folder on the same file system, outside the world, for what is not whole yet. */
  staging: string
  /** What was deleted. Counts to the quota. */
  trash: string
  /** Most bytes of one file; null: no limit but the disk's. */
  maxFileBytes: number | null
  quotaBytes: number | null
  /** Bytes that are added to the quota at the moment. */
  moreQuota?: (() => number) | undefined
  /** What is reserved on the disk by all servers together. */
  reservations?: Set<Reservation>
  /** Whether the server's program runs. */
  running: () => boolean
}

/** Something in an opened folder, which need not be there. Valid until disposed. */
export interface Located extends Disposable {
  folder: OpenedFolder
  name: string
  /** Its path for the system's calls. */
  readonly at: DiskPath
  /** Its contract path, links resolved. */
  path: string
}

export interface LocateOptions extends OpenFolderOptions {
  /** Where the name is a link within the server's folder: go where it leads. Default: the link itself is meant. */
  follow?: boolean
}

/** An opened file. Who opens it closes it. */
export interface OpenedFile {
  handle: FileHandle
  stat: BigIntStats
  /** Contract path with links resolved. */
  path: string
}

/** Most links from name to name. */
const MOST_LINKS = 40
const yielder = new Yielder()
/** How the names in a staging folder begin that nobody comes back for. */
export const TEMP = 'tmp-'
const UPLOADS = 'uploads'

/**
 * The files of one server. All paths are contract paths; everything outside the server's folder is refused, whatever
 * the path and whatever links there are. Refusals are listed in refusals.ts.
 */
export class ServerFiles {
  readonly serverId: string
  readonly root: string
  readonly #staging: string
  readonly #trash: string
  readonly partialUploads: PartialUploads
  readonly maxFileBytes: number | null
  readonly space: Space
  readonly hardLinks: HardLinks
  readonly #running: () => boolean

  constructor(options: ServerFilesOptions) {
    this.serverId = options.serverId
    this.root = options.root
    this.hardLinks = new HardLinks(options.root)
    this.#staging = options.staging
    this.#trash = options.trash
    this.partialUploads = new PartialUploads(join(options.staging, UPLOADS))
    this.maxFileBytes = options.maxFileBytes
    this.#running = options.running
    this.space = new Space({
      folders: [options.root, options.trash],
      quotaBytes: options.quotaBytes,
      moreQuota: options.moreQuota,
      partialUploads: this.partialUploads,
      ...(options.reservations && { reservations: options.reservations }),
    })
    for (const folder of [options.staging, options.trash]) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
      } catch {
        // Operations that need it report the reason; everything else works.
      }
    }
  }

  /** The folder for what is not whole yet. */
  get staging(): string {
    return this.#made(this.#staging)
  }

  /** The folder of what was deleted. */
  get trash(): string {
    return this.#made(this.#trash)
  }

  /** Where uploads gather that come in several requests. */
  get uploads(): string {
    return join(this.staging, UPLOADS)
  }

  /** Somebody may have cleared it away while the service runs. Of a server that was deleted nothing is made anew. */
  #made(folder: string): string {
    if (!existsSync(folder) && existsSync(this.root)) mkdirSync(folder, { recursive: true, mode: 0o700 })
    return folder
  }

  /** Whether the server's program runs now: it may overwrite a file, or read it only when it starts again. */
  get running(): boolean {
    return this.#running()
  }

  /** Path of a new file in the staging folder, which is not made yet. */
  newTemp(): string {
    return join(this.staging, TEMP + randomUUID())
  }

  /** Opens a folder; links within are followed. Dispose it: `using folder = files.open(path)`. */
  open(path: string, options?: OpenFolderOptions): OpenedFolder {
    return openFolder(this.root, path, options)
  }

  /** Creates a folder and its missing parents, with turns for others. Returns the created paths, parents first. */
  async makeFolder(path: string): Promise<string[]> {
    return refusing(path, async () => {
      const { folder, missing } = openExisting(this.root, path)
      using top = folder
      requireComing(top, missing, { make: true })
      const made: string[] = []
      const steps = makeBelow(top, missing)
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) {
          step.value[Symbol.dispose]()
          return made
        }
        made.push(step.value)
        await yielder.next()
      }
    })
  }

  /** Opens the folder something lies in. The path is not empty. Dispose it: `using located = files.locate(path)`. */
  locate(path: string, options: LocateOptions = {}): Located {
    let at = partsOf(path)
    if (at.length === 0) throw isFolder(path)
    for (let links = 0; ; links++) {
      const { folder: parent, name } = splitLast(at.join('/'))
      const folder = openFolder(this.root, parent, options, name)
      try {
        const stat = lstatSync(folder.at(name), { throwIfNoEntry: false })
        const link = options.follow && stat?.isSymbolicLink() && linkAt(folder.at(name))
        if (typeof link !== 'string') {
          if (!stat && !options.returns) requireComing(folder, [name], options)
          return {
            folder,
            name,
            get at() {
              return folder.at(name)
            },
            path: joined(folder.path, name),
            [Symbol.dispose]: () => folder[Symbol.dispose](),
          }
        }
        if (links >= MOST_LINKS) throw outside(path)
        at = throughLink(this.root, partsOf(folder.path), link, path)
        if (at.length === 0) throw isFolder(path)
      } catch (error) {
        folder[Symbol.dispose]()
        throw asRefusal(error, path)
      }
      folder[Symbol.dispose]()
    }
  }

  /** What a write to a path would replace, links followed; null for nothing. Throws the refusals of a path that can't be created. */
  find(path: string): BigIntStats | null {
    requireDepth(path)
    try {
      using located = this.locate(path, { follow: true })
      const stat = lstatSync(located.at, { bigint: true, throwIfNoEntry: false })
      if (stat) return stat
    } catch (thrown) {
      const error = asRefusal(thrown, path)
      // Missing parents are created by the write.
      if (!(error instanceof Refusal && error.code === 'files.not-found')) throw error
    }
    requireDepth(this.resolve(path))
    return null
  }

  /** A contract path with the links in its folders resolved. It need not exist. */
  resolve(path: string): string {
    const { folder: parent, name } = splitLast(partsOf(path).join('/'))
    const { folder, missing } = openExisting(this.root, parent)
    folder[Symbol.dispose]()
    return joined(folder.path, ...missing, name)
  }

  /** Brings the names in folders to the disk, where many files were placed one by one. A folder that went is no error. */
  async flush(paths: ReadonlySet<string>): Promise<void> {
    await eachOf([...paths], async (path) => {
      try {
        using folder = this.open(path)
        await folder.flush()
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
      }
    })
  }

  /** What is at a path, by itself: a link is a link. Throws Refusal 404 `files.not-found`. */
  async stat(path: string): Promise<BigIntStats> {
    return refusing(path, async () => {
      if (path === '') {
        using folder = this.open('')
        return await lstat(folder.itself, { bigint: true })
      }
      using located = this.locate(path)
      return await lstat(located.at, { bigint: true })
    })
  }

  /**
   * Opens a file for reading. Links within the folder are followed. A folder, a pipe or a device is refused, and a
   * file that has another name (a hard link) outside the server's folder: it is somebody else's too.
   */
  async openRead(path: string): Promise<OpenedFile> {
    return refusing(path, async () => {
      using located = this.locate(path, { follow: true })
      const handle = await open(located.at, READ_FLAGS)
      try {
        const stat = await handle.stat({ bigint: true })
        if (stat.isDirectory()) throw isFolder(path)
        if (!stat.isFile()) throw notFile(path)
        located.folder.confirm(located.name, stat)
        if (!(await this.hardLinks.allInside(stat))) throw outside(path)
        return { handle, stat, path: located.path }
      } catch (error) {
        await handle.close()
        throw error
      }
    })
  }

  /**
   * Throws Refusal 507 `files.quota` or `files.disk-full` where that many more bytes do not fit. `replaced`: bytes of the
   * file they take the place of.
   */
  requireSpace(bytes: number, replaced = 0): Promise<void> {
    return this.space.require(bytes, replaced)
  }

  /**
   * Puts a whole file from the staging folder under its final name, in one step; the folders above are made. The file
   * in staging is gone afterwards, unless this throws. Throws the refusals of the path, 409 `files.exists`,
   * 409 `files.is-folder`, 413 `files.too-large`, 507.
   */
  commit(temp: string, path: string, options?: CommitOptions): Promise<Committed> {
    return commitFile(this, temp, path, options)
  }
}

/** The target of a link; null if it is no longer one. */
function linkAt(at: DiskPath): string | null {
  try {
    return linkTarget(at)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EINVAL') return null
    throw error
  }
}
