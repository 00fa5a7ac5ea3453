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

const MOST_LINKS = 40
/** Limit of folders opened per path; every link restarts at the top. */
const MOST_STEPS = 4096
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants

/** Whether names can be opened relative to a handle, like `openat`: Linux only. */
const BY_HANDLE = process.platform === 'linux' && existsSync('/proc/self/fd')

/** Stays the same folder if renamed or replaced by a link: by handle on Linux, elsewhere by rechecking its path. */
export class OpenedFolder implements Disposable {
  readonly path: string
  readonly #fd: number | null
  readonly #real: string
  readonly #ino: bigint | null
  #closed = false

  /** @param fd null where names can't be reached by handle */
  constructor(path: string, real: string, fd: number | null) {
    this.path = path
    this.#real = real
    this.#fd = fd
    this.#ino = fd === null ? lstatSync(real, { bigint: true }).ino : null
  }

  at(name: string): DiskPath {
    return diskPath(this.#base, name)
  }

  get itself(): string {
    const base = this.#base
    return this.#fd === null ? base : `${base}/.`
  }

  entries(): Promise<FolderEntry[]> {
    return entriesIn(this.itself)
  }

  entriesNow(): FolderEntry[] {
    return entriesNow(this.itself)
  }

  names(): Promise<string[]> {
    return namesIn(this.itself)
  }

  /** Verifies a real path first. */
  get #base(): string {
    if (this.#closed) throw new Error('This folder was closed before')
    if (this.#fd !== null) return `/proc/self/fd/${this.#fd}`
    const stat = lstatSync(this.#real, { bigint: true, throwIfNoEntry: false })
    if (!stat?.isDirectory() || stat.ino !== this.#ino || realpathSync.native(this.#real) !== this.#real)
      throw outside(this.path)
    return this.#real
  }

  /** Throws Refusal 422 `files.outside` if a link was briefly there while opening. Never with handles. */
  confirm(name: string, opened: BigIntStats): void {
    if (this.#fd !== null) return
    const now = lstatSync(this.at(name), { bigint: true, throwIfNoEntry: false })
    void this.itself
    if (now?.ino !== opened.ino || now.dev !== opened.dev) throw outside(joined(this.path, name))
  }

  /** Doesn't follow links: throws ELOOP or ENOTDIR. */
  enter(name: string): OpenedFolder {
    const at = this.at(name)
    const path = joined(this.path, name)
    if (this.#fd !== null)
      return new OpenedFolder(path, '', openSync(at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
    if (typeof at !== 'string' || !lstatSync(at).isDirectory())
      throw Object.assign(new Error(name), { code: 'ENOTDIR' })
    return new OpenedFolder(path, at, null)
  }

  above(): OpenedFolder {
    const path = parentOf(this.path)
    if (this.#fd === null) return new OpenedFolder(path, nodePath.dirname(this.#real), null)
    return new OpenedFolder(path, '', openSync(`${this.#base}/..`, O_RDONLY | O_DIRECTORY))
  }

  /** In order; undefined for missing names. Synchronous, 3 µs per name. */
  stats(names: readonly string[]): (Stats | undefined)[] {
    const itself = this.itself
    if (this.#fd === null || !isMainThread) return names.map((name) => statAt(diskPath(itself, name)))
    // Resolving /proc for every path costs more than the stat; changing there costs it once.
    return standingIn(itself, () => names.map((name) => statAt(onDisk(name))))
  }

  /** Makes name changes in this folder survive a power failure. */
  async flush(): Promise<void> {
    // Windows and some file systems can't sync folders.
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

/** Runs `act` with this working directory: synchronously, and other threads use no relative paths. */
function standingIn<T>(folder: string, act: () => T): T {
  let back: string = nodePath.sep
  try {
    back = process.cwd()
  } catch {
    // The original working directory is gone, but isn't needed.
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

/** Follows a link in its place: only an administrator can have put it there. */
export function openRoot(root: DiskPath): OpenedFolder {
  if (typeof root !== 'string') return new OpenedFolder('', '', openSync(root, O_RDONLY | O_DIRECTORY))
  const real = realpathSync.native(root)
  return new OpenedFolder('', real, BY_HANDLE ? openSync(real, O_RDONLY | O_DIRECTORY | O_NOFOLLOW) : null)
}

export interface OpenFolderOptions {
  make?: boolean
  /** Restored from the trash, so the name isn't checked as a new one. */
  returns?: boolean
}

/** Synchronous. Follows only links within the server's folder, else throws Refusal 422 `files.outside`. */
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

/** `missing`: names below the deepest existing folder. Throws like `openFolder`. */
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

/** Creates nested folders. Closes `top`, yields each path, and returns the last folder opened. */
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

function atOnce<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

export function makeIn(folder: OpenedFolder, name: string): void {
  try {
    mkdirSync(folder.at(name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Checks new nested names. Throws Refusal 422 `files.name-invalid`, `files.outside`, or `files.too-deep`. */
export function requireComing(
  folder: OpenedFolder,
  names: readonly string[],
  { make = false, returns = false }: OpenFolderOptions,
): void {
  const above = folder.path === '' ? [] : folder.path.split('/')
  if (!returns) requireNew(names, above.length === 0)
  if (make) requireDepth([...above, ...names])
}

/** The folder, or a link's target; null if missing. */
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
      if ((read as NodeJS.ErrnoException).code === 'EINVAL') throw notFolder(joined(folder.path, name))
      throw read
    }
  }
}

export const linkTarget = (at: DiskPath): string =>
  process.platform === 'linux'
    ? fromBytes(readlinkSync(at, { encoding: 'buffer' }))
    : readlinkSync(at, 'utf8')

/** The link's target in parts. `before`: the parts of its folder, free of links. */
export function throughLink(root: string, before: string[], target: string, path: string): string[] {
  const base = realpathSync.native(root)
  const to = nodePath.resolve(base, ...before, target)
  if (to !== base && !to.startsWith(base + nodePath.sep)) throw outside(path)
  // The system resolves `..` after a link in a target differently.
  const climbs = target.split(/[\\/]/)
  const lastClimb = climbs.lastIndexOf('..')
  if (climbs.slice(0, Math.max(0, lastClimb)).some((part) => part !== '..' && part !== '.' && part !== ''))
    throw outside(path)
  return to === base ? [] : to.slice(base.length + 1).split(nodePath.sep)
}
