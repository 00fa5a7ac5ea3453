/** Paths within a server's folder: names joined by `/`, without one in front; the empty path is the folder itself. */

/** The path of something in a folder, or further down. */
export const joined = (...parts: string[]): string => parts.filter((part) => part !== '').join('/')

/** The folder something lies in. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** The last name of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The folder a path lies in, and its last name. The path is not empty. */
export const splitLast = (path: string): { folder: string; name: string } => ({
  folder: parentOf(path),
  name: nameOf(path),
})

/** Whether a path is the folder itself or lies somewhere in it. */
export const isWithin = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`)

/** Most names in a path of anything that is created. What is deeper on a disk can still be listed, opened and deleted. */
export const MOST_DEPTH = 100
