import {
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { moveFolder } from './safe-fs/move-folder.ts'
import { removeTree } from './safe-fs/remove-tree.ts'
import { refusal } from '../../host/refusal.ts'

/**
 * A server's folders in the data folder: `servers/<id>`, `staging/<id>` (unfinished files), `trash/<id>` and
 * `copies/<id>` (to undo a change) and `backups/<id>`, all on the same disk so that moves are atomic, and `console/<id>`. Once
 * `removed/<id>` exists, the server counts as deleted.
 */
export interface ServerFolders {
  of(serverId: string): string
  stagingOf(serverId: string): string
  trashOf(serverId: string): string
  copiesOf(serverId: string): string
  backupsOf(serverId: string): string
  make(serverId: string): Promise<void>
  /** Its folder is elsewhere, and stays there when the server is deleted. */
  link(serverId: string, folder: string): void
  unlink(serverId: string): void
  /** Undoes `make`, unless something was put there meanwhile. */
  unmake(serverId: string): void
  /** Synchronous. Throws Refusal 409 `server.folder-busy` without changes. */
  setAside(serverId: string): void
  bringBack(serverId: string): void
  /** Moves a folder to a new server's removed area: until `bringBack`, the server counts as deleted. */
  prepare(folder: string, serverId: string): void
  /** Undoes `prepare`, or `setAside` after it. */
  giveBack(folder: string, serverId: string): void
  /** Deletes everything of a server. Never rejects; returns what could not be deleted. */
  clear(serverId: string): Promise<Leftover | null>
  /** Never rejects; returns what is still left. */
  clearLeftovers(): Promise<Leftover[]>
  /** Reconciles folders and database rows after a crash. Only at the start, with the ids of all rows. */
  settle(serverIds: readonly string[]): FolderReconciliation
}

export interface Leftover {
  serverId: string
  folder: string
  /** The first error; its `path` is relative to the folder. */
  error: unknown
}

export const aboutLeftover = ({ serverId, folder, error }: Leftover) => ({ serverId, folder, err: error })

interface FolderReconciliation {
  /** Rows to delete: their servers' deletion had begun. */
  gone: string[]
  /** Rows without a folder, for which an empty one was created. */
  made: string[]
  /** Folders with content but no row. They are kept: the row may have been lost. */
  orphans: string[]
  clear(): Promise<Leftover[]>
}

const MAIN = 'servers'
/** Folders on the same disk that move together with the main one. */
const BESIDE = ['staging', 'trash', 'copies', 'backups'] as const
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
    // The mark goes last, so an interrupted deletion continues at the next start.
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
    backupsOf: (serverId) => folder('backups', serverId),
    make: async (serverId) => void (await mkdir(of(serverId), { recursive: true, mode: 0o700 })),
    link(serverId, target) {
      mkdirSync(path.join(dataDir, MAIN), { recursive: true, mode: 0o700 })
      symlinkSync(target, of(serverId), 'dir')
    },
    unlink: (serverId) => unlinkSync(of(serverId)),
    unmake: (serverId) => void removeEmpty(of(serverId)),
    setAside(serverId) {
      mkdirSync(removed, { recursive: true, mode: 0o700 })
      try {
        if (isThere(of(serverId))) moveFolder(of(serverId), mark(serverId))
        else mkdirSync(mark(serverId), { mode: 0o700 })
      } catch (error) {
        throw asBusy(error)
      }
      // Folders that can't be moved are deleted in place.
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
      // A server with both folders was being brought back.
      const begun = [...new Set(namesIn(removed).map((name) => name.split('.')[0] ?? ''))]
      const deleted = begun.filter((id) => ID.test(id) && !(known.has(id) && isThere(of(id))))
      const gone = deleted.filter((id) => known.delete(id))
      // If creation fails, for example on a full disk, the other servers still work.
      const made = [...known].filter((id) => !isThere(of(id)) && makeFolder(of(id)))
      const orphans = orphansIn(dataDir, (id) => known.has(id) || deleted.includes(id))
      return { gone, made, orphans, clear: () => clearAll(deleted) }
    },
  }
}

/** Removes empty ones. */
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

/** Throws Refusal 409 `server.folder-missing`, for example if it is a link to a disk that isn't mounted. */
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

export function serverFoldersIn(dataDir: string): string[] {
  try {
    const entries = readdirSync(path.join(dataDir, 'servers'), { withFileTypes: true })
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  } catch {
    return []
  }
}

/** Doesn't follow links: the target may not be mounted. */
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
    // Missing, or in use.
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
