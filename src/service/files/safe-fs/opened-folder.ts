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
import { joined } from '../../../contract/pure/paths.ts'
import { partsOf } from '../names.ts'
import { asRefusal, notFolder, outside } from '../refusals.ts'

/** Most links followed on the way to one name, as the kernel has it. */
const MOST_LINKS = 40
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
  at(name: string): string {
    if (this.#closed) throw new Error('This folder was closed before')
    if (this.#fd !== null) return `/proc/self/fd/${this.#fd}/${name}`
    const stat = lstatSync(this.#real, { bigint: true, throwIfNoEntry: false })
    if (!stat?.isDirectory() || stat.ino !== this.#ino || realpathSync.native(this.#real) !== this.#real)
      throw outside(this.path)
    return nodePath.join(this.#real, name)
  }

  /** A path of the system for the folder itself. */
  get itself(): string {
    return this.at('.')
  }

  /**
   * Throws Refusal 422 `files.outside` unless what was opened at `at(name)` is what has this name here. Where names are
   * reached from a handle that is sure already; elsewhere it finds a link that was there for that moment.
   */
  confirm(name: string, opened: BigIntStats): void {
    if (this.#fd !== null) return
    const now = lstatSync(this.at(name), { bigint: true, throwIfNoEntry: false })
    this.at(name)
    if (now?.ino !== opened.ino || now.dev !== opened.dev) throw outside(joined(this.path, name))
  }

  /** Opens a folder in this one. A link is not followed: the system's ELOOP or ENOTDIR is thrown. */
  enter(name: string): OpenedFolder {
    const at = this.at(name)
    const path = joined(this.path, name)
    if (this.#fd !== null)
      return new OpenedFolder(path, '', openSync(at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
    if (!lstatSync(at).isDirectory()) throw Object.assign(new Error(at), { code: 'ENOTDIR' })
    return new OpenedFolder(path, at, null)
  }

  /** Stats of names in this folder, in their order; undefined where a name is gone. Synchronous, 3 µs a name. */
  stats(names: readonly string[]): (Stats | undefined)[] {
    const itself = this.itself
    if (this.#fd === null || !isMainThread) return names.map((name) => statAt(`${itself}/${name}`))
    // /proc finds the handle anew for every path, which costs more than the stat; going there costs that once.
    return standingIn(itself, () => names.map(statAt))
  }

  /** Brings the names in this folder to the disk: what was just put there is there after a power failure too. */
  async flush(): Promise<void> {
    // Windows brings no folder to the disk, nor do some file systems: they keep names in their own way.
    const handle = await open(this.itself, O_RDONLY).catch(() => null)
    await handle?.sync().catch(() => {})
    await handle?.close()
  }

  /** Whether both are the same folder on disk. */
  isSame(other: OpenedFolder): boolean {
    const stat = (folder: OpenedFolder) =>
      folder.#fd === null
        ? lstatSync(folder.#real, { bigint: true })
        : fstatSync(folder.#fd, { bigint: true })
    const [a, b] = [stat(this), stat(other)]
    return a.ino === b.ino && a.dev === b.dev
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

const statAt = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false })

/** Opens the server's folder itself. Whoever runs the service may have put a link there. */
function openRoot(root: string): OpenedFolder {
  const real = realpathSync.native(root)
  return new OpenedFolder('', real, BY_HANDLE ? openSync(real, O_RDONLY | O_DIRECTORY | O_NOFOLLOW) : null)
}

export interface OpenFolderOptions {
  /** Makes the folders that are missing. Default: false. */
  make?: boolean
}

/**
 * Opens the folder of a contract path, part by part. Links within the server's folder are followed, those that lead out
 * are refused with 422 `files.outside`. Synchronous on purpose: a few microseconds a part, and nothing of this process
 * comes between.
 */
export function openFolder(root: string, path: string, options: OpenFolderOptions = {}): OpenedFolder {
  let todo = partsOf(path)
  let links = 0
  let folder = openRoot(root)
  try {
    for (let i = 0; i < todo.length; i++) {
      const name = todo[i] ?? ''
      const next = step(folder, name, options.make ?? false)
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
    return folder
  } catch (error) {
    folder[Symbol.dispose]()
    throw asRefusal(error, path)
  }
}

/** One part: the folder, or what the link says that is there instead. */
function step(folder: OpenedFolder, name: string, make: boolean): OpenedFolder | string {
  try {
    return folder.enter(name)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && make) {
      try {
        mkdirSync(folder.at(name))
      } catch (made) {
        // Somebody else made it at the same time.
        if ((made as NodeJS.ErrnoException).code !== 'EEXIST') throw made
      }
      return step(folder, name, false)
    }
    if (code !== 'ENOTDIR' && code !== 'ELOOP') throw error
    try {
      return readlinkSync(folder.at(name))
    } catch (read) {
      // It is no link, or is one no longer.
      if ((read as NodeJS.ErrnoException).code === 'EINVAL') throw notFolder(joined(folder.path, name))
      throw read
    }
  }
}

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
