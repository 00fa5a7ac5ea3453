import { nameInvalid, outside } from './refusals.ts'

/** Most bytes of a name, which is what file systems hold. */
export const NAME_BYTES = 255

/** Names Windows keeps for devices, with any ending. Refused everywhere: a server's folder moves between machines. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:$|[. ])/i
// eslint-disable-next-line no-control-regex -- these are the ones that are refused
const CONTROL = /[\u0000-\u001f\u007f]/
const DRIVE = /^[a-z]:/i
const NOT_ON_WINDOWS = /[<>:"|?*]/

/**
 * The parts of a contract path; none for the folder itself. Throws Refusal 422 `files.outside` for a path that begins
 * elsewhere or climbs, 422 `files.name-invalid` for a name that cannot be used.
 */
export function partsOf(path: string): string[] {
  if (path === '') return []
  if (CONTROL.test(path)) throw nameInvalid(path, 'it contains a control character')
  if (path.startsWith('/') || path.startsWith('\\') || DRIVE.test(path)) throw outside(path)
  const parts = path.split('/')
  if (parts.some((part) => part === '..' || part.split('\\').includes('..'))) throw outside(path)
  for (const part of parts) checkName(part)
  return parts
}

/** Throws Refusal 422 `files.name-invalid` where a single name cannot be used. */
export function checkName(name: string): void {
  if (name === '' || name === '.') throw nameInvalid(name === '' ? '/' : name, 'a part of the path is empty')
  if (CONTROL.test(name)) throw nameInvalid(name, 'it contains a control character')
  if (name === '..' || name.includes('/')) throw outside(name)
  if (name.includes('\\')) throw nameInvalid(name, 'it contains a backslash')
  if (/[. ]$/.test(name)) throw nameInvalid(name, 'it ends in a dot or a space')
  if (DEVICE.test(name)) throw nameInvalid(name, 'Windows reserves it for a device')
  if (process.platform === 'win32' && NOT_ON_WINDOWS.test(name))
    throw nameInvalid(name, 'it contains a character that Windows does not allow')
  if (!name.isWellFormed()) throw nameInvalid(name, 'it is not valid Unicode')
  if (Buffer.byteLength(name) > NAME_BYTES) throw nameInvalid(name, `it is longer than ${NAME_BYTES} bytes`)
}

/** `world.tar.gz` with 2 → `world (2).tar.gz`. Cut where it would be too long. */
export function numbered(name: string, number: number): string {
  const ending = /(?:\.tar)?\.[^.]{1,20}$/i.exec(name)?.[0] ?? ''
  const isDotFile = ending.length === name.length
  const suffix = ` (${number})${isDotFile ? '' : ending}`
  let base = isDotFile ? name : name.slice(0, name.length - ending.length)
  while (Buffer.byteLength(base + suffix) > NAME_BYTES) base = [...base].slice(0, -1).join('')
  return base + suffix
}

/** Joins a folder's path and a name; the folder itself is the empty path. */
export const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

/** The folder a path lies in, and its last name. The path is not empty. */
export function splitLast(path: string): { folder: string; name: string } {
  const at = path.lastIndexOf('/')
  return at < 0 ? { folder: '', name: path } : { folder: path.slice(0, at), name: path.slice(at + 1) }
}
