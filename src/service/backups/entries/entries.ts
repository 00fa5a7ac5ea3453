import { parentOf } from '../../../contract/rules/paths.ts'
import type { BackupEntry } from '../backup-store.ts'
import { chmod, mkdir, utimes } from 'node:fs/promises'
import { fileTime } from '../../../host/file-time.ts'
import { diskPath } from '../../files/names/raw-names.ts'
import { shownName } from '../../../contract/rules/names.ts'
import { refusal, type Refusal } from '../../../host/refusal.ts'

/** Without what only its store needs. */
export const bare = ({ path: at, kind, size, modifiedAt, mode }: BackupEntry): BackupEntry => ({
  ...{ path: at, kind, size, modifiedAt, mode },
})

/** Those in one folder, from a list of all. Throws 404. */
export async function entriesOf(all: AsyncIterable<BackupEntry>, folder: string): Promise<BackupEntry[]> {
  const found: BackupEntry[] = []
  let isThere = folder === ''
  for await (const entry of all) {
    if (entry.path === folder && entry.kind === 'folder') isThere = true
    else if (parentOf(entry.path) === folder) found.push(bare(entry))
  }
  if (!isThere) throw notInBackup(folder)
  return found
}

/** Throws 404. */
export async function findEntry<T extends BackupEntry>(all: AsyncIterable<T>, at: string): Promise<T> {
  for await (const entry of all) if (entry.path === at) return entry
  throw notInBackup(at)
}

/** `made`: folders that are there. */
export async function makeFolder(to: string, folder: string, made: Set<string>): Promise<void> {
  if (made.has(folder)) return
  await makeFolder(to, parentOf(folder), made)
  await mkdir(diskPath(to, folder), { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  made.add(folder)
}

export async function keepRecord(to: string, { path: at, mode, modifiedAt }: BackupEntry): Promise<void> {
  const there = diskPath(to, at)
  await utimes(there, fileTime(modifiedAt), fileTime(modifiedAt))
  await chmod(there, mode & 0o777)
}

const SHOWN_CHARS = 200

const shown = (path: string): string => shownName(path || '/').slice(0, SHOWN_CHARS)

export const notInBackup = (path: string): Refusal => refusal(404, 'backups.not-in-it', { path: shown(path) })
export const damaged = (): Refusal => refusal(409, 'backups.damaged')
export const damagedFile = (path: string): Refusal =>
  refusal(409, 'backups.damaged.file', { path: shown(path) })
