/** A folder on the way down to another one, for the path bar. */
export interface Crumb {
  name: string
  path: string
}

/** The path of something in a folder. */
export function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

/** The folder something lies in; `''` is the server's own. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The folders from the top down to `path`, without the server's own. */
export function crumbsOf(path: string): Crumb[] {
  if (path === '') return []
  const names = path.split('/')
  return names.map((name, index) => ({ name, path: names.slice(0, index + 1).join('/') }))
}

/** Whether `path` is the folder itself or lies somewhere in it. */
export function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

/**
 * Reads a path that a person typed: from the server's folder, with slashes of either kind, `.` and `..`. What leads out
 * of the folder ends at it.
 */
export function typedPath(text: string): string {
  const parts: string[] = []
  for (const part of text.trim().split(/[/\\]/)) {
    if (part === '' || part === '.') continue
    if (part === '..') parts.pop()
    else parts.push(part)
  }
  return parts.join('/')
}

/** The most bytes a name can have on the file systems there are. */
const NAME_BYTES = 255

export type NameFault = 'empty' | 'slash' | 'dots' | 'control' | 'long'

/** What is wrong with a name, or null. What else the service's computer does not take, the service says. */
export function nameFault(name: string): NameFault | null {
  if (name.trim() === '') return 'empty'
  if (name.includes('/')) return 'slash'
  if (name === '.' || name === '..') return 'dots'
  if (/\p{Cc}/u.test(name)) return 'control'
  return new TextEncoder().encode(name).length > NAME_BYTES ? 'long' : null
}

/** How many characters of a name come before its ending, so that renaming marks what one wants to change. */
export function stemLength(name: string): number {
  const ending = /(\.tar)?\.[^.\s]{1,12}$/.exec(name)
  return ending && ending.index > 0 ? ending.index : name.length
}

/** A name that is not taken: `world.zip`, `world (2).zip`, … */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const stem = name.slice(0, stemLength(name))
  const ending = name.slice(stem.length)
  let free = name
  for (let count = 2; taken.has(free); count += 1) free = `${stem} (${count})${ending}`
  return free
}
