import { parentOf } from '../../../contract/rules/paths.ts'
import type { BackupEntry } from '../backup-store.ts'
import { notInBackup } from './refusals.ts'

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
