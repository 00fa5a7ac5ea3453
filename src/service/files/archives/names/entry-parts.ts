import { outside } from '../../names/refusals.ts'

/** A path from the root of a drive, such as `C:/server`. */
const DRIVE = /^\/*[a-z]:(?:\/|$)/i

/** The name of something in an archive, written so that `entryParts` answers the same path. */
export const entryName = (path: string): string =>
  // It is neither a drive nor separated by backslashes.
  /^[a-z]:|^[^/]*\\[^/]*$/i.test(path) ? `./${path}` : path

/**
 * The parts of a name in an archive, as `tar` and `unzip` take it: slashes at its beginning do not count, and neither do
 * doubled ones and `.`. Whether they can be names here is not looked at. Throws Refusal 422 `files.outside` for a name that
 * climbs, or begins with a drive: it means harm.
 */
export function entryParts(name: string): string[] {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (DRIVE.test(name) || parts.some((part) => part.split('\\').includes('..'))) throw outside(name)
  return parts
}
