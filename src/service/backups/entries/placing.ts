import { chmod, mkdir, utimes } from 'node:fs/promises'
import { parentOf } from '../../../contract/rules/paths.ts'
import { fileTime } from '../../../host/file-time.ts'
import { diskPath } from '../../files/names/raw-names.ts'
import type { BackupEntry } from '../backup-store.ts'

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
