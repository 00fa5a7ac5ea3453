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
import { commitFile, type CommitResult, type CommitOptions } from './write/commit-file.ts'
import { asRefusal, isFolder, notFile, outside, refusing } from './names/refusals.ts'
import { Refusal } from '../../host/refusal.ts'
import { Space } from './quota/space.ts'
import { eachOf } from './safe-fs/walk.ts'
import { READ_FLAGS } from './safe-fs/open-in.ts'
import { Yielder } from '../../host/yield.ts'
import type { DiskPath } from './names/raw-names.ts'

export interface ServerFilesOptions {
  serverId: string
  root: string
  /** Private folder on the same file system for unfinished files. */
  staging: string
  trash: string
  maxFileBytes: number | null
  quotaBytes: number | null
  moreQuota?: (() => number) | undefined
  reservations?: Set<Reservation>
  running: () => boolean
}

/** A name in an opened folder, existing or not. Valid until disposed. */
export interface FileLocation extends Disposable {
  folder: OpenedFolder
  name: string
  readonly at: DiskPath
  path: string
}

export interface LocateOptions extends OpenFolderOptions {
  /** Follow a link within the server's folder. Default: use the link itself. */
  follow?: boolean
}

export interface OpenedFile {
  handle: FileHandle
  stat: BigIntStats
  path: string
}

const MOST_LINKS = 40
const yielder = new Yielder()
/** Prefix of staging files to sweep at the next start. */
export const TEMP = 'tmp-'
const UPLOADS = 'uploads'

/** The files of one server by contract paths. Refuses everything outside the server's folder, links included. */
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

  get staging(): string {
    return this.#made(this.#staging)
  }

  get trash(): string {
    return this.#made(this.#trash)
  }

  get uploads(): string {
    return join(this.staging, UPLOADS)
  }

  /** Recreates a folder someone deleted, but not for a deleted server. */
  #made(folder: string): string {
    if (!existsSync(folder) && existsSync(this.root)) mkdirSync(folder, { recursive: true, mode: 0o700 })
    return folder
  }

  /** A running server may overwrite a file, or read it only when it restarts. */
  get running(): boolean {
    return this.#running()
  }

  newTemp(): string {
    return join(this.staging, TEMP + randomUUID())
  }

  /** Follows links within the server's folder. Dispose it: `using folder = files.open(path)`. */
  open(path: string, options?: OpenFolderOptions): OpenedFolder {
    return openFolder(this.root, path, options)
  }

  /** Also creates parents. Yields to the event loop. Returns the created paths, parents first. */
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

  /** Opens the parent folder of a non-empty path. Dispose it: `using located = files.locate(path)`. */
  locate(path: string, options: LocateOptions = {}): FileLocation {
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

  /** What a write would replace, links followed; null for nothing. Throws if the path can't be created. */
  find(path: string): BigIntStats | null {
    requireDepth(path)
    try {
      using located = this.locate(path, { follow: true })
      const stat = lstatSync(located.at, { bigint: true, throwIfNoEntry: false })
      if (stat) return stat
    } catch (thrown) {
      const error = asRefusal(thrown, path)
      if (!(error instanceof Refusal && error.code === 'files.not-found')) throw error
    }
    requireDepth(this.resolve(path))
    return null
  }

  /** Resolves links in its folders. The path need not exist. */
  resolve(path: string): string {
    const { folder: parent, name } = splitLast(partsOf(path).join('/'))
    const { folder, missing } = openExisting(this.root, parent)
    folder[Symbol.dispose]()
    return joined(folder.path, ...missing, name)
  }

  /** Syncs folders after placing many files in them. Ignores deleted folders. */
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

  /** Doesn't follow links. Throws Refusal 404 `files.not-found`. */
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

  /** Follows links within the server's folder. Refuses all but files, and files hard-linked outside. */
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

  /** Throws Refusal 507 `files.quota` or `files.disk-full`. `replaced`: bytes of the replaced file. */
  requireSpace(bytes: number, replaced = 0): Promise<void> {
    return this.space.require(bytes, replaced)
  }

  /** Atomic; creates folders. Throws path refusals, 409, 413, 507; then the staging file stays. */
  commit(temp: string, path: string, options?: CommitOptions): Promise<CommitResult> {
    return commitFile(this, temp, path, options)
  }
}

function linkAt(at: DiskPath): string | null {
  try {
    return linkTarget(at)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EINVAL') return null
    throw error
  }
}
