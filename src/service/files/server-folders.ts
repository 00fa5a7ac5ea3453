import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { moveFolder } from './safe-fs/move-folder.ts'
import { removeTree } from './safe-fs/remove-tree.ts'
import { refusal } from '../base/refusal.ts'

/**
 * The folders of a server in the data folder: it lives in `servers/<id>`; what is not whole yet is in `staging/<id>`, what
 * was deleted in `trash/<id>`, and the copy that leads back from a change in `copies/<id>`, all on the same disk, so that a
 * file comes and goes in one step; `console/<id>` is its
 * console. From the moment that `removed/<id>` is there the server is deleted, whatever is left of the others.
 */
export interface ServerFolders {
  /** Absolute path of a server's folder. */
  of(serverId: string): string
  /** Absolute path of the folder for what is not whole yet. */
  stagingOf(serverId: string): string
  /** Absolute path of the server's trash. */
  trashOf(serverId: string): string
  /** Absolute path of the folder for the copy that leads back. */
  copiesOf(serverId: string): string
  make(serverId: string): Promise<void>
  /** Takes back `make`, where nothing was put there meanwhile. */
  unmake(serverId: string): void
  /**
   * Moves a server's folders out of the way: the first move decides. Synchronous, so that its row can go in the same
   * step. Throws Refusal 409 `server.folder-busy`; then all of them are where they were.
   */
  setAside(serverId: string): void
  /** Takes back `setAside`. */
  bringBack(serverId: string): void
  /**
   * Moves a folder to where that of a new server is set aside: from then on it is as if that server had been deleted, until
   * `bringBack`. A process that ends in between leaves nothing of it.
   */
  prepare(folder: string, serverId: string): void
  /** Takes back `prepare`, or `setAside` after that. */
  giveBack(folder: string, serverId: string): void
  /** Deletes what was set aside of a server, and whatever else there is of it. Never rejects; returns what could not be deleted. */
  clear(serverId: string): Promise<Leftover | null>
  /** Retries what could not be deleted. Never rejects; returns what is still left. */
  clearLeftovers(): Promise<Leftover[]>
  /**
   * Makes folders and rows agree after a run that ended in the middle of something. Called at the start alone, with the
   * ids of the rows there are.
   */
  settle(serverIds: readonly string[]): Settled
}

/** Files of a deleted server that could not be deleted. */
export interface Leftover {
  serverId: string
  /** The folder they are in, relative to the data folder. */
  folder: string
  /** The first error; its `path` is relative to the folder. */
  error: unknown
}

/** Fields for the log. */
export const aboutLeftover = ({ serverId, folder, error }: Leftover) => ({ serverId, folder, err: error })

export interface Settled {
  /** Rows of servers whose deletion had begun: they have to go. */
  gone: string[]
  /** Rows that had no folder, and have an empty one now. */
  made: string[]
  /** Folders that are not empty and belong to no row. They are left alone: a row may have been lost, not a folder. */
  orphans: string[]
  /** Deletes what is left of deleted servers. Never rejects; returns what could not be deleted. */
  clear(): Promise<Leftover[]>
}

const MAIN = 'servers'
/** What lies on the same disk and goes with it in the same moment. */
const BESIDE = ['staging', 'trash', 'copies'] as const
const KINDS = [MAIN, ...BESIDE, 'console'] as const
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

export function serverFolders(dataDir: string): ServerFolders {
  const removed = path.join(dataDir, 'removed')
  const folder = (kind: (typeof KINDS)[number], serverId: string) => path.join(dataDir, kind, serverId)
  const of = (serverId: string) => folder(MAIN, serverId)
  const mark = (serverId: string) => path.join(removed, serverId)
  const aside = (kind: (typeof BESIDE)[number], serverId: string) => path.join(removed, `${serverId}.${kind}`)
  const leftovers = new Map<string, Leftover>()

  async function clear(serverId: string): Promise<Leftover | null> {
    leftovers.delete(serverId)
    const erase = (at: string) =>
      removeTree(at).catch((error: unknown) => {
        if (!leftovers.has(serverId))
          leftovers.set(serverId, { serverId, folder: path.relative(dataDir, at), error })
      })
    for (const kind of ['console', ...BESIDE] as const) await erase(folder(kind, serverId))
    for (const kind of BESIDE) await erase(aside(kind, serverId))
    const isLeft = leftovers.has(serverId)
    // The mark goes last: who is interrupted here goes on at the next start.
    await erase(mark(serverId))
    if (isLeft) makeFolder(mark(serverId))
    return leftovers.get(serverId) ?? null
  }

  async function clearAll(serverIds: Iterable<string>): Promise<Leftover[]> {
    for (const serverId of [...serverIds]) await clear(serverId)
    return [...leftovers.values()]
  }

  return {
    of,
    stagingOf: (serverId) => folder('staging', serverId),
    trashOf: (serverId) => folder('trash', serverId),
    copiesOf: (serverId) => folder('copies', serverId),
    make: async (serverId) => void (await mkdir(of(serverId), { recursive: true, mode: 0o700 })),
    unmake: (serverId) => void removeEmpty(of(serverId)),
    setAside(serverId) {
      mkdirSync(removed, { recursive: true, mode: 0o700 })
      try {
        if (isThere(of(serverId))) moveFolder(of(serverId), mark(serverId))
        else mkdirSync(mark(serverId), { mode: 0o700 })
      } catch (error) {
        throw asBusy(error)
      }
      // What cannot be moved is deleted where it is.
      for (const kind of BESIDE) moveIfThere(folder(kind, serverId), aside(kind, serverId))
    },
    bringBack(serverId) {
      for (const kind of BESIDE) moveIfThere(aside(kind, serverId), folder(kind, serverId))
      renameSync(mark(serverId), of(serverId))
    },
    prepare(folder, serverId) {
      mkdirSync(removed, { recursive: true, mode: 0o700 })
      renameSync(folder, mark(serverId))
    },
    giveBack: (folder, serverId) => moveIfThere(mark(serverId), folder),
    clear,
    clearLeftovers: () => clearAll(leftovers.keys()),
    settle(serverIds) {
      const known = new Set(serverIds)
      // A row that has both its folder and one that was set aside was brought back, as far as that went.
      const begun = [...new Set(namesIn(removed).map((name) => name.split('.')[0] ?? ''))]
      const deleted = begun.filter((id) => ID.test(id) && !(known.has(id) && isThere(of(id))))
      const gone = deleted.filter((id) => known.delete(id))
      // One that cannot be made, as on a full disk, is missing still: the others are served all the same.
      const made = [...known].filter((id) => !isThere(of(id)) && makeFolder(of(id)))
      const orphans = orphansIn(dataDir, (id) => known.has(id) || deleted.includes(id))
      return { gone, made, orphans, clear: () => clearAll(deleted) }
    },
  }
}

/** Folders of no server, relative to the data folder. Removes empty ones. */
function orphansIn(dataDir: string, isKnown: (id: string) => boolean): string[] {
  const orphans: string[] = []
  for (const kind of KINDS) {
    for (const id of namesIn(path.join(dataDir, kind))) {
      if (!ID.test(id) || isKnown(id)) continue
      if (!removeEmpty(path.join(dataDir, kind, id))) orphans.push(path.join(kind, id))
    }
  }
  return orphans
}

/**
 * Throws Refusal 409 `server.folder-missing` where a server's folder is not there. Whoever runs the service may have put a link
 * to another disk in its place, which can be gone.
 */
export function requireFolder(folder: string): void {
  if (isFolder(folder)) return
  throw refusal(409, 'server.folder-missing')
}

function isFolder(folder: string): boolean {
  try {
    return statSync(folder).isDirectory()
  } catch {
    return false
  }
}

/** Names of the folders in `servers`: a server each, whether the service knows it or not. */
export function serverFoldersIn(dataDir: string): string[] {
  try {
    const entries = readdirSync(path.join(dataDir, 'servers'), { withFileTypes: true })
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  } catch {
    return []
  }
}

/** Whether something has this name. A link counts, wherever it leads: what it leads to may only not be connected. */
function isThere(folder: string): boolean {
  try {
    return lstatSync(folder, { throwIfNoEntry: false }) !== undefined
  } catch {
    // It exists but can't be inspected; operations on it report the reason.
    return true
  }
}

function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return true
  } catch {
    return false
  }
}

/** Whether a folder could be removed because it held nothing. */
function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}

function moveIfThere(from: string, to: string): void {
  try {
    moveFolder(from, to)
  } catch {
    // It was never made, or something holds it.
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function asBusy(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (!['EBUSY', 'EPERM', 'EACCES', 'EXDEV'].includes(code ?? '')) return error
  return refusal(409, 'server.folder-busy', { code: String(code) })
}
