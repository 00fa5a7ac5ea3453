import { closeSync, constants, fchmodSync, fstatSync, openSync, renameSync } from 'node:fs'
import type { DiskPath } from '../names/raw-names.ts'

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants

/** Makes a read-only folder writable for the rename, which changes its parent entry. */
export function moveFolder(from: DiskPath, to: DiskPath): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES' || process.platform === 'win32') throw error
    const fd = opened(from)
    if (fd === null) throw error
    try {
      moveReadOnly(fd, from, to, error)
    } finally {
      closeSync(fd)
    }
  }
}

function moveReadOnly(fd: number, from: DiskPath, to: DiskPath, why: unknown): void {
  const { mode, uid } = fstatSync(fd)
  if (uid !== process.getuid?.() || (mode & 0o200) !== 0) throw why
  fchmodSync(fd, (mode & 0o7777) | 0o200)
  try {
    renameSync(from, to)
  } finally {
    fchmodSync(fd, mode & 0o7777)
  }
}

function opened(folder: DiskPath): number | null {
  try {
    return openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  } catch {
    return null
  }
}
