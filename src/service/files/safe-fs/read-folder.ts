import { type Dirent, readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { type Kind, kindOf } from '../names/entry.ts'
import { type DiskPath, fromBytes, isDoubtful } from '../names/raw-names.ts'

export interface FolderEntry {
  name: string
  kind: Kind
}

const BYTES = { withFileTypes: true, encoding: 'buffer' } as const

export async function entriesIn(folder: DiskPath): Promise<FolderEntry[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.some(({ name }) => isDoubtful(name))
    ? ofBytes(await readdir(folder, BYTES))
    : entries.map(entryOf)
}

export function entriesNow(folder: DiskPath): FolderEntry[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.some(({ name }) => isDoubtful(name))
    ? ofBytes(readdirSync(folder, BYTES))
    : entries.map(entryOf)
}

export async function namesIn(folder: DiskPath): Promise<string[]> {
  const names = await readdir(folder)
  return names.some(isDoubtful) ? (await readdir(folder, { encoding: 'buffer' })).map(fromBytes) : names
}

const entryOf = (entry: Dirent): FolderEntry => ({ name: entry.name, kind: kindOf(entry) })

const ofBytes = (entries: Dirent<NonSharedBuffer>[]): FolderEntry[] =>
  entries.map((entry) => ({ name: fromBytes(entry.name), kind: kindOf(entry) }))
