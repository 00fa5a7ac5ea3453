import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  type BigIntStats,
  type Stats,
} from 'node:fs'
import { open } from 'node:fs/promises'
import nodePath from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { joined, parentOf } from '../../../contract/rules/paths.ts'
import { partsOf, requireDepth, requireNew } from '../names/names.ts'
import { asRefusal, nameInvalid, notFolder, notFound, outside } from '../names/refusals.ts'
import { type DiskPath, diskPath, fromBytes, onDisk } from '../names/raw-names.ts'
import { entriesIn, entriesNow, type FolderEntry, namesIn } from './read-folder.ts'

/** Most links followed on the way to one name, as the kernel has it. */
const MOST_LINKS = 40
/** Most folders opened for one path. Every link on the way starts again at the top. */
const MOST_STEPS = 4096
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants

/** Whether a name can be reached from an opened folder, as `openat` does it: Linux alone. */
const BY_HANDLE = process.platform === 'linux' && existsSync('/proc/self/fd')

/**
 * A folder within a server's folder that is held open. What is done at `at(name)` is done in this very folder, also
 * where somebody meanwhile renames it or puts a link in its place: on Linux the path goes through the handle
 * (`/proc/self/fd/N`). Elsewhere it is the real path, checked once more before it is handed out.
 */
export class OpenedFolder implements Disposable {
  /** Contract path of the folder, with links resolved. */
  readonly path: string
  readonly #fd: number | null
  readonly #real: string
  readonly #ino: bigint | null
  #closed = false

  /** @param fd held open; null where names cannot be reached from a handle. */
  constructor(path: string, real: string, fd: number | null) {
    this.path = path
    this.#real = real
    this.#fd = fd
    this.#ino = fd === null ? lstatSync(real, { bigint: true }).ino : null
  }

  /** A path of the system for something in this folder, for as long as it is open. */
  at(name: string): DiskPath {
    return diskPath(this.#base, name)
  }

  /** A path of the system for the folder itself. */
  get itself(): string {
    const base = this.#base
    return this.#fd === null ? base : `${base}/.`
  }

  /** What is in this folder. */
  entries(): Promise<FolderEntry[]> {
    return entriesIn(this.itself)
  }

  /** Synchronous `entries`. */
  entriesNow(): FolderEntry[] {
    return entriesNow(this.itself)
  }

  /** The names in this folder. */
  names(): Promise<string[]> {
    return namesIn(this.itself)
  }

  /** The prefix of paths to names in this folder. A real path is verified first. */
  get #base(): string {
    if (this.#closed) throw new Error('This folder was closed before')
    if (this.#fd !== null) return `/proc/self/fd/${this.#fd}`
    const stat = lstatSync(this.#real, { bigint: true, throwIfNoEntry: false })
    if (!stat?.isDirectory() || stat.ino !== this.#ino || realpathSync.native(this.#real) !== this.#real)
      throw outside(this.path)
    return this.#real
  }

  /**
   * Throws Refusal 422 `files.outside` unless what was opened at `at(name)` is what has this name here. Where names are
   * reached from a handle that is sure already; elsewhere it finds a link that was there for that moment.
   */
  confirm(name: string, opened: BigIntStats): void {
    if (this.#fd !== null) return
    const now = lstatSync(this.at(name), { bigint: true, throwIfNoEntry: false })
    void this.itself
    if (now?.ino !== opened.ino || now.dev !== opened.dev) throw outside(joined(this.path, name))
  }

  /** Opens a folder in this one. A link is not followed: the system's ELOOP or ENOTDIR is thrown. */
  enter(name: string): OpenedFolder {
    const at = this.at(name)
    const path = joined(this.path, name)
    if (this.#fd !== null)
      return new OpenedFolder(path, '', openSync(at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
    if (typeof at !== 'string' || !lstatSync(at).isDirectory())
      throw Object.assign(new Error(name), { code: 'ENOTDIR' })
    return new OpenedFolder(path, at, null)
  }

  /** Opens the current parent folder. Not for the server's folder itself. */
  above(): OpenedFolder {
    const path = parentOf(this.path)
    if (this.#fd === null) return new OpenedFolder(path, nodePath.dirname(this.#real), null)
    return new OpenedFolder(path, '', openSync(`${this.#base}/..`, O_RDONLY | O_DIRECTORY))
  }

  /** Stats of names in this folder, in their order; undefined where a name is gone. Synchronous, 3 µs a name. */
  stats(names: readonly string[]): (Stats | undefined)[] {
    const itself = this.itself
    if (this.#fd === null || !isMainThread) return names.map((name) => statAt(diskPath(itself, name)))
    // /proc finds the handle anew for every path, which costs more than the stat; going there costs that once.
    return standingIn(itself, () => names.map((name) => statAt(onDisk(name))))
  }

  /** Brings the names in this folder to the disk: what was just put there is there after a power failure too. */
  async flush(): Promise<void> {
    // Windows brings no folder to the disk, nor do some file systems: they keep names in their own way.
    const handle = await open(this.itself, O_RDONLY).catch(() => null)
    await handle?.sync().catch(() => {})
    await handle?.close()
  }

  /** Identifies the folder on its disk, even after a move. */
  get id(): string {
    const at = this.#fd ?? -1
    const { dev, ino } = at < 0 ? lstatSync(this.#real, { bigint: true }) : fstatSync(at, { bigint: true })
    return `${dev}:${ino}`
  }

  [Symbol.dispose](): void {
    if (this.#closed) return
    this.#closed = true
    if (this.#fd !== null) closeSync(this.#fd)
  }
}

/**
 * Runs `act` with a folder as the working folder. Until it is left again nothing else of this thread runs, and the other
 * threads use no relative paths.
 */
function standingIn<T>(folder: string, act: () => T): T {
  let back: string = nodePath.sep
  try {
    back = process.cwd()
  } catch {
    // Where the service was started is gone; it needs no such place.
  }
  process.chdir(folder)
  try {
    return act()
  } finally {
    try {
      process.chdir(back)
    } catch {
      process.chdir(nodePath.sep)
    }
  }
}

const statAt = (path: DiskPath): Stats | undefined => lstatSync(path, { throwIfNoEntry: false })

/** Opens a folder of the system. Follows a link in its place: only whoever runs the service can have put it there. */
export function openRoot(root: DiskPath): OpenedFolder {
  if (typeof root !== 'string') return new OpenedFolder('', '', openSync(root, O_RDONLY | O_DIRECTORY))
  const real = realpathSync.native(root)
  return new OpenedFolder('', real, BY_HANDLE ? openSync(real, O_RDONLY | O_DIRECTORY | O_NOFOLLOW) : null)
}

export interface OpenFolderOptions {
  /** Makes the folders that are missing. Default: false. */
  make?: boolean
  /** It comes back from the trash, so its name is not judged as a new one. */
  returns?: boolean
}

/**
 * Opens the folder of a contract path, part by part. Links within the server's folder are followed, those that lead out
 * are refused with 422 `files.outside`. Synchronous on purpose: a few microseconds a part, and nothing of this process
 * comes between.
 * @param name checked with the names of missing folders, for something new in that folder
 */
export function openFolder(
  root: string,
  path: string,
  options: OpenFolderOptions = {},
  name?: string,
): OpenedFolder {
  const { folder, missing } = openExisting(root, path)
  if (missing.length === 0) return folder
  try {
    requireComing(folder, name === undefined ? missing : [...missing, name], options)
    if (options.make) return atOnce(makeBelow(folder, missing))
    throw notFound(path)
  } catch (error) {
    folder[Symbol.dispose]()
    throw asRefusal(error, path)
  }
}

/** Opens the deepest existing folder of a contract path; `missing` are the names below it. Throws as `openFolder` does. */
export function openExisting(root: string, path: string): { folder: OpenedFolder; missing: string[] } {
  let todo = partsOf(path)
  let [links, steps] = [0, 0]
  let folder = openRoot(root)
  try {
    for (let i = 0; i < todo.length; i++) {
      if (++steps > MOST_STEPS) throw nameInvalid(path, 'too-long')
      const next = step(folder, todo[i]!)
      if (next === null) return { folder, missing: todo.slice(i) }
      if (typeof next === 'string') {
        if (++links > MOST_LINKS) throw outside(path)
        todo = [...throughLink(root, todo.slice(0, i), next, path), ...todo.slice(i + 1)]
        folder[Symbol.dispose]()
        folder = openRoot(root)
        i = -1
      } else {
        folder[Symbol.dispose]()
        folder = next
      }
    }
    return { folder, missing: [] }
  } catch (error) {
    folder[Symbol.dispose]()
    throw asRefusal(error, path)
  }
}

/** Creates nested folders, the first in `top`, which it closes. Yields the path of each and returns the last, opened. */
export function* makeBelow(top: OpenedFolder, names: readonly string[]): Generator<string, OpenedFolder> {
  let folder = top
  try {
    for (const name of names) {
      makeIn(folder, name)
      const inner = folder.enter(name)
      folder[Symbol.dispose]()
      folder = inner
      yield folder.path
    }
    return folder
  } catch (error) {
    folder[Symbol.dispose]()
    throw error
  }
}

/** Runs a generator to its end. */
function atOnce<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Creates a folder unless it exists. */
export function makeIn(folder: OpenedFolder, name: string): void {
  try {
    mkdirSync(folder.at(name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/**
 * Checks nested names that don't exist in a folder. Throws Refusal 422 `files.name-invalid` or `files.outside`, and
 * `files.too-deep` if they are to be created.
 */
export function requireComing(
  folder: OpenedFolder,
  names: readonly string[],
  { make = false, returns = false }: OpenFolderOptions,
): void {
  const above = folder.path === '' ? [] : folder.path.split('/')
  if (!returns) requireNew(names, above.length === 0)
  if (make) requireDepth([...above, ...names])
}

/** One part: the folder, or what the link says that is there instead; null where nothing is. */
function step(folder: OpenedFolder, name: string): OpenedFolder | string | null {
  try {
    return folder.enter(name)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    if (code !== 'ENOTDIR' && code !== 'ELOOP') throw error
    try {
      return linkTarget(folder.at(name))
    } catch (read) {
      // It is no link, or is one no longer.
      if ((read as NodeJS.ErrnoException).code === 'EINVAL') throw notFolder(joined(folder.path, name))
      throw read
    }
  }
}

/** The target of a link, with raw bytes as in contract paths. */
export const linkTarget = (at: DiskPath): string =>
  process.platform === 'linux'
    ? fromBytes(readlinkSync(at, { encoding: 'buffer' }))
    : readlinkSync(at, 'utf8')

/** The parts a link leads to. `before` are the parts of the folder it lies in, which hold no link any more. */
export function throughLink(root: string, before: string[], target: string, path: string): string[] {
  const base = realpathSync.native(root)
  const to = nodePath.resolve(base, ...before, target)
  if (to !== base && !to.startsWith(base + nodePath.sep)) throw outside(path)
  // `..` after a link in the target means something else to the system. Who makes such links is asked not to.
  const climbs = target.split(/[\\/]/)
  const lastClimb = climbs.lastIndexOf('..')
  if (climbs.slice(0, Math.max(0, lastClimb)).some((part) => part !== '..' && part !== '.' && part !== ''))
    throw outside(path)
  return to === base ? [] : to.slice(base.length + 1).split(nodePath.sep)
}
