import type { PartId } from '../../../contract/messages/refusals/index.ts'
import { NAME_BYTES, shownName } from '../../../contract/rules/names.ts'
import { MOST_DEPTH } from '../../../contract/rules/paths.ts'
import { filesDiskFull } from '../../base/disk-full.ts'
import { refusal } from '../../base/refusal.ts'

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
 * | `files.too-deep` | 422 | too many names in the path of something new |
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

/** The name of a path for a list of them in a sentence. */
export const named = (path: string): string => `“${shown(path)}”`
/** The name of a path for a sentence. */
const shown = (path: string): string => {
  const clean = shownName(path || '/')
  return clean.length > 200 ? `${clean.slice(0, 200)}…` : clean
}

export const notFound = (path: string) => refusal(404, 'files.not-found', { path: shown(path) })
export const exists = (path: string) => refusal(409, 'files.exists', { path: shown(path) })
export const notFolder = (path: string) => refusal(409, 'files.not-folder', { path: shown(path) })
export const isFolder = (path: string) => refusal(409, 'files.is-folder', { path: shown(path) })
export const notFile = (path: string) => refusal(409, 'files.not-file', { path: shown(path) })
export const intoItself = (path: string) => refusal(409, 'files.into-itself', { path: shown(path) })
export const replacedMeanwhile = (path: string) => refusal(409, 'files.changed.copied', { path: shown(path) })
export const outside = (path: string) => refusal(422, 'files.outside', { path: shown(path) })
export const nameInvalid = (name: string, why: PartId) =>
  refusal(422, 'files.name-invalid', { name: shown(name), why, most: NAME_BYTES })
export const tooDeep = (path: string) =>
  refusal(422, 'files.too-deep', { path: shown(path), most: MOST_DEPTH })
/** For a folder whose contents would be too deep at the target. */
export const tooDeepInside = (path: string) =>
  refusal(422, 'files.too-deep.inside', { path: shown(path), most: MOST_DEPTH })
/** Of an import that is no longer there, or is somebody else's. */
export const notHere = () => refusal(404, 'imports.not-found')
export const cancelled = () => refusal(499, 'files.cancelled')

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
      return nameInvalid(path, 'too-long')
    case 'ENOSPC':
    case 'EDQUOT':
      return filesDiskFull()
    case 'EACCES':
    case 'EPERM':
    case 'EBUSY':
    case 'EROFS':
    case 'ETXTBSY':
      return refusal(409, 'files.denied', { path: shown(path) })
    case 'EXDEV':
      return refusal(409, 'files.denied.other-disk', { path: shown(path) })
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
