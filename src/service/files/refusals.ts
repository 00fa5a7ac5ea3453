import { filesDiskFull } from '../disk-full.ts'
import { Refusal } from '../refusal.ts'

/*
 * Every code a refusal of the file area carries.
 *
 * | code | status | when |
 * |---|---|---|
 * | `files.not-found` | 404 | nothing has this name |
 * | `files.exists` | 409 | the name is taken |
 * | `files.not-folder` · `files.is-folder` · `files.not-file` | 409 | it is of another kind than asked |
 * | `files.into-itself` | 409 | a folder moved or copied into itself |
 * | `files.changed` | 412 | `If-Match` does not hold what is there; also where it was deleted meanwhile (404 `files.not-found`) |
 * | `files.changed` | 409 | it became something else while it was copied |
 * | `files.outside` | 422 | the path leads out of the server's folder, also by a link |
 * | `files.name-invalid` | 422 | a name that not every system can hold |
 * | `files.denied` | 409 | the system does not let the service do it |
 * | `files.too-large` | 413 | larger than a file may be here |
 * | `files.quota` · `files.disk-full` | 507 | no room |
 * | `files.checksum` | 422 | what arrived is not what was sent |
 * | `files.cut-off` | 400 | the body ended too early |
 * | `files.stalled` | 408 | the body stood still for too long |
 * | `files.range` | 416 | no such part of the file |
 * | `files.batch-invalid` · `files.batch-too-large` | 422 · 413 | the batch is no tar stream, or holds too much |
 * | `files.cancelled` | 499 | who asked went away |
 * | `files.busy` | 423 | the same upload is being written by another request |
 * | `files.checksum-missing` | 422 | all of an upload is here, and nobody vouched for it |
 * | `files.upload-not-found` · `files.upload-offset` · `files.upload-invalid` | 404 · 409 · 4xx | as tus has it |
 * | `files.archive-unknown` · `-broken` · `-encrypted` · `-bomb` · `-too-many` | 422 | an archive that is not unpacked |
 * | `files.jobs-full` · `files.job-not-found` · `files.job-ending` | 409 · 404 · 409 | jobs |
 */

/** The name of a path for a sentence. */
export const named = (path: string): string => (path === '' ? "The server's folder" : `“${shown(path)}”`)
const shown = (path: string): string => {
  // eslint-disable-next-line no-control-regex -- what a person reads has none
  const clean = path.replaceAll(/[\u0000-\u001f\u007f]/g, '�')
  return clean.length > 200 ? `${clean.slice(0, 200)}…` : clean
}

export const notFound = (path: string) =>
  new Refusal(404, 'files.not-found', `${named(path)} was not found. It may have been moved or deleted.`)
export const exists = (path: string) =>
  new Refusal(409, 'files.exists', `${named(path)} already exists. Choose another name, or replace it.`)
export const notFolder = (path: string) =>
  new Refusal(409, 'files.not-folder', `${named(path)} is not a folder.`)
export const isFolder = (path: string) =>
  new Refusal(409, 'files.is-folder', `${named(path)} is a folder, but a file is needed here.`)
export const notFile = (path: string) =>
  new Refusal(409, 'files.not-file', `${named(path)} is neither a file nor a folder, so it cannot be read.`)
export const intoItself = (path: string) =>
  new Refusal(
    409,
    'files.into-itself',
    `${named(path)} cannot be moved or copied into itself. Choose another folder.`,
  )
export const replacedMeanwhile = (path: string) =>
  new Refusal(409, 'files.changed', `${named(path)} was replaced while it was copied. Copy it again.`)
export const outside = (path: string) =>
  new Refusal(
    422,
    'files.outside',
    `${named(path)} leads outside the server's folder, which is not allowed. Choose a path within it.`,
  )
export const nameInvalid = (name: string, why: string) =>
  new Refusal(422, 'files.name-invalid', `${named(name)} cannot be used as a name: ${why}. Choose another.`)
/** Of an import that is no longer there, or is somebody else's. */
export const notHere = () =>
  new Refusal(
    404,
    'imports.not-found',
    'What was sent for this server is no longer here: it was deleted, or a server was made of it. Begin again.',
  )
export const cancelled = () => new Refusal(499, 'files.cancelled', 'It was canceled.')

/** Turns an error of the file system into the refusal for it; anything else is handed on as it is. */
export function asRefusal(error: unknown, path: string): unknown {
  switch ((error as NodeJS.ErrnoException | null)?.code) {
    case 'ENOENT':
      return notFound(path)
    case 'EEXIST':
    case 'ENOTEMPTY':
      return exists(path)
    case 'ENOTDIR':
      return notFolder(path)
    case 'EISDIR':
      return isFolder(path)
    case 'ELOOP':
      return outside(path)
    case 'ENAMETOOLONG':
      return nameInvalid(path, 'it is too long')
    case 'ENOSPC':
    case 'EDQUOT':
      return filesDiskFull()
    case 'EACCES':
    case 'EPERM':
    case 'EBUSY':
    case 'EROFS':
    case 'ETXTBSY':
      return new Refusal(
        409,
        'files.denied',
        `${named(path)} cannot be used: the system denies the service access. Another program may be using it.`,
      )
    case 'EXDEV':
      return new Refusal(
        409,
        'files.denied',
        `${named(path)} is on another disk than the service's data folder, so nothing can be moved there in one step.`,
      )
    default:
      return error
  }
}

/** Runs `act`; an error of the file system becomes a refusal about `path`. */
export async function refusing<T>(path: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw asRefusal(error, path)
  }
}
