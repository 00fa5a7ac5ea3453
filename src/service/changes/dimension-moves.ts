import { lstatSync, renameSync } from 'node:fs'
import type { ServerFiles } from '../files/server-files.ts'
import { Refusal } from '../base/refusal.ts'
import type { Software } from '../software/software.ts'
import { ownDimensions } from './own-dimensions.ts'
import { worldNames } from './parts.ts'

/** A folder of a world that is renamed. Contract paths. */
export interface DimensionMove {
  from: string
  to: string
}

/** Software that may keep them at one place or the other. */
type Keeper = Pick<Software, 'dimensions'>

/** Where a dimension lies up to 1.21: `world/DIM-1`, or `world_nether/DIM-1` beside the world; a datapack's in the same way. */
interface Places {
  within: string
  beside: string
  /** The folder of its own that it has beside the world. */
  root: string
}

/**
 * What has to be moved so that other software finds the Nether, the End and the dimensions of datapacks: up to 1.21, Bukkit's
 * kinds have them beside the world's folder, and all others within it. From 26.1 on all have them within, and take over by themselves what they find
 * at either place; so does Bukkit's kind with what it finds within, unless the folder beside is there already.
 *
 * @param level the world's name
 * @param former the software that it had
 */
export function dimensionMoves(
  files: ServerFiles,
  level: string,
  former: Keeper | null,
  coming: Keeper | null,
): DimensionMove[] {
  const [from, to] = [former?.dimensions, coming?.dimensions]
  if (to === undefined || from === to) return []
  const places = placesOf(level)
  const [world] = worldNames(level)
  const own = world === undefined ? [] : ownDimensions(files, world)
  if (to === 'within')
    return [...places, ...own].flatMap((place) => movesWithin(files, place, from !== undefined))
  if (from === undefined) return []
  // What was never within the world is where it is looked for.
  const back = own.filter(({ within }) => isFolder(files, within))
  return [...places, ...back].flatMap((place) => movesBeside(files, place))
}

/** Whether a dimension comes to lie elsewhere, be it by us or by the software itself. */
export function movesDimensions(...given: Parameters<typeof dimensionMoves>): boolean {
  const [files, level, former, coming] = given
  const movesItself = former?.dimensions === 'within' && coming?.dimensions === 'beside'
  const isWithin = movesItself && placesOf(level).some(({ within }) => isFolder(files, within))
  return isWithin || dimensionMoves(...given).length > 0
}

/**
 * Moves them. What an earlier run has moved already stays where it is. Throws what the system throws; then some may be
 * moved.
 */
export function moveDimensions(files: ServerFiles, moves: readonly DimensionMove[]): void {
  for (const { from, to } of moves) {
    if (!isThere(files, from) || isThere(files, to)) continue
    using source = files.locate(from)
    // The world may have none of that datapack's yet.
    using target = files.locate(to, { make: true })
    renameSync(source.at, target.at)
  }
}

function placesOf(level: string): Places[] {
  const [world, nether, end] = worldNames(level)
  if (world === undefined || nether === undefined || end === undefined) return []
  return [
    { within: `${world}/DIM-1`, beside: `${nether}/DIM-1`, root: nether },
    { within: `${world}/DIM1`, beside: `${end}/DIM1`, root: end },
  ]
}

/** `isKnown`: the former software had them beside the world. Of two, nobody could say otherwise which one is played in. */
function movesWithin(files: ServerFiles, { within, beside }: Places, isKnown: boolean): DimensionMove[] {
  if (!isFolder(files, beside)) return []
  const isTaken = isThere(files, within)
  if (isTaken && !isKnown) return []
  return [...(isTaken ? [aside(files, within)] : []), { from: beside, to: within }]
}

function movesBeside(files: ServerFiles, { within, beside, root }: Places): DimensionMove[] {
  // Where there is no folder yet, it makes one by itself and takes the dimension there.
  if (!isThere(files, root)) return []
  // It would read an older one, or give up, if the folder were left as it is. What it knows of the world stays with it.
  if (!isFolder(files, within) || !isThere(files, `${root}/level.dat`)) return [aside(files, root)]
  return [...(isThere(files, beside) ? [aside(files, beside)] : []), { from: within, to: beside }]
}

/** Something that is older than what takes its place. It is kept, where nothing reads it. */
function aside(files: ServerFiles, from: string): DimensionMove {
  for (let at = 1; ; at++) {
    const to = `${from}-unused${at === 1 ? '' : `-${at}`}`
    if (!isThere(files, to)) return { from, to }
  }
}

const isFolder = (files: ServerFiles, at: string): boolean => kindAt(files, at) === 'folder'
const isThere = (files: ServerFiles, at: string): boolean => kindAt(files, at) !== 'nothing'

function kindAt(files: ServerFiles, at: string): 'folder' | 'else' | 'nothing' {
  try {
    using located = files.locate(at)
    const stat = lstatSync(located.at, { throwIfNoEntry: false })
    if (!stat) return 'nothing'
    return stat.isDirectory() ? 'folder' : 'else'
  } catch (error) {
    // A folder above is not there, or leads elsewhere: that is nobody's to move.
    if (error instanceof Refusal) return 'nothing'
    throw error
  }
}
