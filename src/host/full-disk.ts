/** SQLite: no room in the file. */
const SQLITE_FULL = 13
/** SQLite: a write that failed; no room for what processes share. It does not hand on why: a quota is one reason, a dying disk another. */
const SQLITE_UNWRITABLE = [778, 4874]

/** Whether something failed, itself or by its cause, because a disk is full, or because it cannot be written; else null. */
export function fullDisk(error: unknown): 'full' | 'unwritable' | null {
  if (!(error instanceof Error)) return null
  const { code, errcode, cause } = error as Error & { code?: unknown; errcode?: unknown }
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'full'
  // A fault that crossed from another thread has lost its class, not its numbers.
  if (errcode === SQLITE_FULL) return 'full'
  return SQLITE_UNWRITABLE.includes(Number(errcode)) ? 'unwritable' : fullDisk(cause)
}

/** The same as a part of a sentence. */
export const FULL_DISK = {
  full: 'the disk is full',
  unwritable: 'the disk could not be written: it is full, a quota is used up, or it fails',
}
