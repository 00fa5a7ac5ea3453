import { nameFault, numbered } from '../../../../contract/rules/names.ts'

export interface Crumb {
  name: string
  path: string
}

export function crumbsOf(path: string): Crumb[] {
  if (path === '') return []
  const names = path.split('/')
  return names.map((name, index) => ({ name, path: names.slice(0, index + 1).join('/') }))
}

/** Relative to the server's folder; takes either slash, `.` and `..`, and never leads above the folder. */
export function typedPath(text: string): string {
  const parts: string[] = []
  for (const part of text.trim().split(/[/\\]/)) {
    if (part === '' || part === '.') continue
    if (part === '..') parts.pop()
    else parts.push(part)
  }
  return parts.join('/')
}

/** Checks before sending; the service reports everything else. */
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

export function typedFault(name: string): (typeof told)[keyof typeof told] | null {
  const fault = nameFault(name, minded)
  return fault && told[fault]
}

/** A free name: `world.zip`, `world (2).zip`, … */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let count = 2; taken.has(free); count += 1) free = numbered(name, count)
  return free
}
