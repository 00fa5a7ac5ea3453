/** Paths in a server's folder: `/`-separated, no leading slash; empty is the folder itself. */

export const joined = (...parts: string[]): string => parts.filter((part) => part !== '').join('/')

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The path must not be empty. */
export const splitLast = (path: string): { folder: string; name: string } => ({
  folder: parentOf(path),
  name: nameOf(path),
})

export const isWithin = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`)

/** Depth limit for creating. Deeper paths can still be listed, opened and deleted. */
export const MOST_DEPTH = 100

/** Whether `level-name` stays inside the server's folder on every system; the game would write anywhere. */
export const isWorldFolder = (path: string): boolean =>
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  !/^[/\\]|[:\x00-\x1f]/.test(path) && !path.split(/[/\\]/).includes('..') && /[^./\\]/.test(path)
