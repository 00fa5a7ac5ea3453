import type { PartId } from '../../../contract/messages/refusals/index.ts'
import { NAME_BYTES, shownName } from '../../../contract/rules/names.ts'
import { MOST_DEPTH } from '../../../contract/rules/paths.ts'
import { filesDiskFull } from '../../base/computer-limits.ts'
import { refusal } from '../../../host/refusal.ts'

/* `files.changed` is 412 if `If-Match` fails, 409 if something was replaced while being copied. */

export const named = (path: string): string => `“${shown(path)}”`
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
/** A folder whose contents would be too deep at the target. */
export const tooDeepInside = (path: string) =>
  refusal(422, 'files.too-deep.inside', { path: shown(path), most: MOST_DEPTH })
/** Missing, or another account's. */
export const notHere = () => refusal(404, 'imports.not-found')
export const canceled = () => refusal(499, 'files.cancelled')

/** Maps file system errors to refusals; returns other errors unchanged. */
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

/** Maps file system errors of `act` to refusals about `path`. */
export async function refusing<T>(path: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw asRefusal(error, path)
  }
}
