import { lstatSync } from 'node:fs'
import type { ServerFiles } from '../files/server-files.ts'
import { Refusal } from '../../host/refusal.ts'
import type { Software } from '../software/software.ts'
import { ownDimensions } from './own-dimensions.ts'
import { worldNames } from './parts.ts'
import { inServer } from '../../extensions/folder/step.ts'
import { move } from './steps.ts'

/** Contract paths. */
export interface DimensionMove {
  from: string
  to: string
}

type Keeper = Pick<Software, 'dimensions'>

/** Where a dimension is up to 1.21: `world/DIM-1` or `world_nether/DIM-1`; datapack dimensions likewise. */
interface DimensionPaths {
  within: string
  beside: string
  root: string
}

/**
 * Folders to move so that the new software finds the Nether, the End and datapack dimensions. Up to 1.21,
 * Bukkit-based servers keep them next to the world folder, all others inside it. From 26.1 on all keep them inside
 * and migrate either layout themselves. Bukkit-based servers also migrate dimensions from inside, unless the folder
 * next to the world already exists.
 * @param level the world's name
 * @param former the previous software
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
  // Dimensions that were never inside the world are already in the right place.
  const back = own.filter(({ within }) => isFolder(files, within))
  return [...places, ...back].flatMap((place) => movesBeside(files, place))
}

export function movesDimensions(...given: Parameters<typeof dimensionMoves>): boolean {
  const [files, level, former, coming] = given
  const movesItself = former?.dimensions === 'within' && coming?.dimensions === 'beside'
  const isWithin = movesItself && placesOf(level).some(({ within }) => isFolder(files, within))
  return isWithin || dimensionMoves(...given).length > 0
}

/** Puts the world aside, so that the next start makes a new one. */
export function worldMoves(files: ServerFiles, level: string): DimensionMove[] {
  return worldNames(level).flatMap((name) => (isThere(files, name) ? [aside(files, name)] : []))
}

/** Skips moves already made. Throws system errors, possibly halfway. */
export function moveDimensions(files: ServerFiles, moves: readonly DimensionMove[]): void {
  for (const { from, to } of moves) move({ files }, inServer(from), inServer(to))
}

function placesOf(level: string): DimensionPaths[] {
  const [world, nether, end] = worldNames(level)
  if (world === undefined || nether === undefined || end === undefined) return []
  return [
    { within: `${world}/DIM-1`, beside: `${nether}/DIM-1`, root: nether },
    { within: `${world}/DIM1`, beside: `${end}/DIM1`, root: end },
  ]
}

/** `isKnown`: the former software kept them next to the world. Otherwise we can't tell which of two is in use. */
function movesWithin(
  files: ServerFiles,
  { within, beside }: DimensionPaths,
  isKnown: boolean,
): DimensionMove[] {
  if (!isFolder(files, beside)) return []
  const isTaken = isThere(files, within)
  if (isTaken && !isKnown) return []
  return [...(isTaken ? [aside(files, within)] : []), { from: beside, to: within }]
}

function movesBeside(files: ServerFiles, { within, beside, root }: DimensionPaths): DimensionMove[] {
  // Without the folder, the software creates it and migrates the dimension.
  if (!isThere(files, root)) return []
  // With an old folder in place it would load that or fail. Move only the dimension if its `level.dat` can stay.
  if (!isFolder(files, within) || !isThere(files, `${root}/level.dat`)) return [aside(files, root)]
  return [...(isThere(files, beside) ? [aside(files, beside)] : []), { from: within, to: beside }]
}

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
    // Missing parent, or one that leads outside.
    if (error instanceof Refusal) return 'nothing'
    throw error
  }
}
