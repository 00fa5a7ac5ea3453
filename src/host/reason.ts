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
