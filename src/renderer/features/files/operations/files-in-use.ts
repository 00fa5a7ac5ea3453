import { isWithin, joined, nameOf, parentOf } from '../../../../contract/rules/paths.ts'

/** What a running server needs, and why: losing its world damages that, losing the rest may crash it. */
export interface FileInUse {
  kind: 'world' | 'program'
  path: string
}

export const LEVEL = 'world'

/** Bukkit keeps other dimensions in folders of their own. */
const dimensions = ['', '_nether', '_the_end']

/** Written by the game all the time. Other contents of a world may be deleted while it runs. */
const LIVE_IN_WORLD = /^(?:.*\/)?(?:region|entities|poi|level\.dat)(?:\/|$)/i

const programFolders = new Set(['plugins', 'mods', 'libraries', 'versions'])

/** The first of the paths that a running server uses; its world counts before all else. `level` is `level-name`. */
export function fileInUse(paths: readonly string[], level: string): FileInUse | null {
  const world = joined(...level.split(/[/\\]/).filter((part) => part !== '.'))
  const worlds = dimensions.map((dimension) => `${world}${dimension}`.toLowerCase())
  const ofWorld = paths.find((path) => worlds.some((one) => isOfWorld(path.toLowerCase(), one)))
  if (ofWorld !== undefined) return { kind: 'world', path: ofWorld }
  const ofProgram = paths.find(isOfProgram)
  return ofProgram === undefined ? null : { kind: 'program', path: ofProgram }
}

const isOfWorld = (path: string, world: string): boolean =>
  isWithin(world, path) || (isWithin(path, world) && LIVE_IN_WORLD.test(path.slice(world.length + 1)))

function isOfProgram(path: string): boolean {
  const name = nameOf(path).toLowerCase()
  return parentOf(path) === '' && (programFolders.has(name) || name.endsWith('.jar'))
}
