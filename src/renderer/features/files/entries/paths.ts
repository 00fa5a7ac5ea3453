import { nameFault, numbered } from '../../../../contract/rules/names.ts'

/** A folder on the way down to another one, for the path bar. */
export interface Crumb {
  name: string
  path: string
}

/** The folders from the top down to `path`, without the server's own. */
export function crumbsOf(path: string): Crumb[] {
  if (path === '') return []
  const names = path.split('/')
  return names.map((name, index) => ({ name, path: names.slice(0, index + 1).join('/') }))
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

/** What a person is told of a name before it is sent. What else the service's computer does not take, the service says. */
const told = {
  blank: 'empty',
  slash: 'slash',
  here: 'dots',
  up: 'dots',
  control: 'control',
  delete: 'control',
  long: 'long',
} as const
const minded = ['blank', 'slash', 'here', 'up', 'control', 'delete'] as const

/** What is wrong with a name that a person typed, or null. */
export function typedFault(name: string): (typeof told)[keyof typeof told] | null {
  const fault = nameFault(name, minded)
  return fault && told[fault]
}

/** A name that is not taken: `world.zip`, `world (2).zip`, … */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let count = 2; taken.has(free); count += 1) free = numbered(name, count)
  return free
}
