const SQLITE_FULL = 13
/** A failed write, or no room for shared memory. SQLite hides the reason: a quota, or a dying disk. */
const SQLITE_UNWRITABLE = [778, 4874]

export function fullDisk(error: unknown): 'full' | 'unwritable' | null {
  if (!(error instanceof Error)) return null
  const { code, errcode, cause } = error as Error & { code?: unknown; errcode?: unknown }
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'full'
  // Errors from another thread lose their class but keep their numbers.
  if (errcode === SQLITE_FULL) return 'full'
  return SQLITE_UNWRITABLE.includes(Number(errcode)) ? 'unwritable' : fullDisk(cause)
}

/** The same as part of a sentence. */
export const FULL_DISK = {
  full: 'the disk is full',
  unwritable: 'the disk could not be written: it is full, a quota is used up, or it fails',
}

/** Why the system refused a file operation, as part of a sentence; the system's own message for unknown codes. */
export function reasonOf(error: unknown): string {
  const { code = '', message = String(error) } = (error ?? {}) as NodeJS.ErrnoException
  return REASONS[code] ?? message.replace(/\.$/, '')
}

const REASONS: Record<string, string> = {
  EACCES: 'this user is not allowed to use it',
  EPERM: 'this user is not allowed to use it',
  EROFS: 'the disk is read-only',
  EIO: 'the disk does not answer',
  ENOENT: 'nothing can be created there',
  ENOTDIR: 'a part of its path is a file',
  EISDIR: 'it is a folder',
  EEXIST: 'a file with that name exists',
  ELOOP: 'a link in its path leads to itself',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
}
