import { projectOf, type PackFile } from './pack-index.ts'
import { sameName } from '../pack-paths.ts'
import type { PackRecord } from '../pack-record.ts'
import type { OpenedPack } from './read-pack.ts'

type Named = PackRecord['leftOut'][number]

/** What somebody wants of a pack. */
export interface PackWish {
  /** Paths that are not wanted; null: as before. */
  leaveOut: readonly string[] | null
  /** Paths of what is for players alone and is wanted all the same; null: as before. */
  take: readonly string[] | null
  /** Paths at which what the pack has comes in the place of what somebody has there. */
  overwrite: readonly string[]
}

export const AS_BEFORE: PackWish = { leaveOut: null, take: null, overwrite: [] }

/** A file of a pack that comes to a server. */
export type ChosenFile = PackFile & {
  /** Whatever it says of itself. */
  isTaken: boolean
}

/** What of a pack is for a server, without what is not wanted there. */
export interface Chosen {
  files: ChosenFile[]
  leftOut: Named[]
  taken: Named[]
  /** For players alone: by the pack, or by the mod of the same project that the pack before had. */
  clientOnly: { file: PackFile; reason: 'pack' | 'mod' }[]
}

/** What of a pack is for a server. */
export function chosenOf(
  { index }: Pick<OpenedPack, 'index'>,
  { leaveOut, take }: Omit<PackWish, 'overwrite'>,
  before: PackRecord | null,
): Chosen {
  const isOut = among(leaveOut, before?.leftOut)
  const isTaken = among(take, before?.taken)
  const wasClients = among(null, before?.clientOnly)
  const chosen: Chosen = { files: [], leftOut: [], taken: [], clientOnly: [] }
  for (const file of index.files) {
    const named = { path: file.path, project: projectOf(file.urls) }
    if (isTaken(named)) {
      chosen.taken.push(named)
      chosen.files.push({ ...file, isTaken: true })
    } else if (file.server === 'unsupported') chosen.clientOnly.push({ file, reason: 'pack' })
    else if (wasClients(named)) chosen.clientOnly.push({ file, reason: 'mod' })
    else if (isOut(named)) chosen.leftOut.push(named)
    else chosen.files.push({ ...file, isTaken: false })
  }
  return chosen
}

/** Whether a file is among those that were named by their paths; null: among those of before, or of their projects. */
function among(paths: readonly string[] | null, before: readonly Named[] | null | undefined) {
  const names = new Set((paths ?? before?.map(({ path }) => path) ?? []).map(sameName))
  const projects = new Set(paths ? [] : before?.flatMap(({ project }) => project ?? []))
  return ({ path, project }: Named): boolean =>
    names.has(sameName(path)) || (typeof project === 'string' && projects.has(project))
}
