import { projectOf, type PackFile } from './pack-index.ts'
import { sameName } from '../pack-paths.ts'
import type { PackRecord } from '../pack-record.ts'
import type { OpenedPack } from './read-pack.ts'

type ProjectFile = PackRecord['leftOut'][number]

export interface PackWish {
  /** Paths to exclude; null: as before. */
  leaveOut: readonly string[] | null
  /** Paths of client-only files to include anyway; null: as before. */
  take: readonly string[] | null
  /** Paths where the pack's file replaces the user's. */
  overwrite: readonly string[]
}

export const AS_BEFORE: PackWish = { leaveOut: null, take: null, overwrite: [] }

export type ChosenFile = PackFile & {
  isTaken: boolean
}

export interface FileSelection {
  files: ChosenFile[]
  leftOut: ProjectFile[]
  taken: ProjectFile[]
  /** Client-only according to the pack, or to the same project's mod in the previous pack. */
  clientOnly: { file: PackFile; reason: 'pack' | 'mod' }[]
}

export function chosenOf(
  { index }: Pick<OpenedPack, 'index'>,
  { leaveOut, take }: Omit<PackWish, 'overwrite'>,
  before: PackRecord | null,
): FileSelection {
  const isOut = among(leaveOut, before?.leftOut)
  const isTaken = among(take, before?.taken)
  const wasClients = among(null, before?.clientOnly)
  const chosen: FileSelection = { files: [], leftOut: [], taken: [], clientOnly: [] }
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

/** Null matches the previous pack's files by path or project. */
function among(paths: readonly string[] | null, before: readonly ProjectFile[] | null | undefined) {
  const names = new Set((paths ?? before?.map(({ path }) => path) ?? []).map(sameName))
  const projects = new Set(paths ? [] : before?.flatMap(({ project }) => project ?? []))
  return ({ path, project }: ProjectFile): boolean =>
    names.has(sameName(path)) || (typeof project === 'string' && projects.has(project))
}
