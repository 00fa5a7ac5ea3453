import { outside } from '../../names/refusals.ts'

const DRIVE = /^\/*[a-z]:(?:\/|$)/i

/** The inverse of `entryParts`. */
export const entryName = (path: string): string =>
  // Prevents reading it as a drive or as `\`-separated.
  /^[a-z]:|^[^/]*\\[^/]*$/i.test(path) ? `./${path}` : path

/**
 * Splits an archive name like `tar` and `unzip`: ignores leading and double slashes and `.`. Throws Refusal 422
 * `files.outside` for `..` and drives. Doesn't validate the parts.
 */
export function entryParts(name: string): string[] {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (DRIVE.test(name) || parts.some((part) => part.split('\\').includes('..'))) throw outside(name)
  return parts
}
