import { Refusal } from './refusal.ts'

/** SQLite: no room in the file; a write that failed (a quota is one); no room for what processes share. */
const SQLITE_FULL = 13
const SQLITE_IOERR_WRITE = 778
const SQLITE_IOERR_SHMSIZE = 4874

/** Whether something failed because the disk, or this user's part of it, has no room. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode, cause } = error as Error & { code?: unknown; errcode?: unknown }
  if (code === 'ENOSPC' || code === 'EDQUOT') return true
  if (code === 'ERR_SQLITE_ERROR')
    return [SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMSIZE].includes(Number(errcode))
  return isDiskFull(cause)
}

/** What is said where there is no room: by the area of files for what it was to write, by everything else in general. */
export const diskFull = (code: 'files.disk-full' | 'service.disk-full') =>
  new Refusal(507, code, 'The disk of the service is full. Make room on it, then try again.')
