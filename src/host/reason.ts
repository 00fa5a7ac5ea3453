/** Why the system refused something with a file, as a part of a sentence; its own words where none of ours fit. */
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
