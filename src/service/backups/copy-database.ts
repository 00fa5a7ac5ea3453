import { randomUUID } from 'node:crypto'
import { closeSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import type { DiskPath } from '../files/names/raw-names.ts'
import { READ_FLAGS } from '../files/safe-fs/open-in.ts'
import type { SourceEntry } from './backup-store.ts'

const MAGIC = 'SQLite format 3\0'
/** Pages per step: other work goes on between them. */
const PAGES = 500

export function isDatabase(at: DiskPath): boolean {
  try {
    const fd = openSync(at, READ_FLAGS)
    try {
      const start = Buffer.alloc(MAGIC.length)
      return readSync(fd, start, 0, start.length, 0) === start.length && start.toString('latin1') === MAGIC
    } finally {
      closeSync(fd)
    }
  } catch {
    return false
  }
}

/** A database in use, copied as SQLite does it. Null if that can't be done: then its file is read as it is. */
export async function copyDatabase(
  from: string,
  folder: string,
): Promise<Pick<SourceEntry, 'from' | 'size'> | null> {
  const to = path.join(folder, randomUUID())
  try {
    // SQLite follows links.
    if (realpathSync.native(from) !== from) return null
    await mkdir(folder, { recursive: true, mode: 0o700 })
    using database = new DatabaseSync(from, { readOnly: true })
    await backup(database, to, { rate: PAGES })
    return { from: to, size: lstatSync(to).size }
  } catch {
    return null
  }
}
