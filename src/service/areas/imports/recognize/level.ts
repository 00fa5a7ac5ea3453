import { readdir } from 'node:fs/promises'
import type { z } from 'zod'
import type { FoundServer } from '../../../../contract/areas/imports.ts'
import type { Properties } from '../../../../contract/rules/properties-text.ts'
import { worldNames } from '../../../changes/parts.ts'
import type { ServerFiles } from '../../../files/server-files.ts'
import { Refusal } from '../../../../host/refusal.ts'
import { isWorldFolder } from '../../../../contract/rules/paths.ts'

export interface Level {
  name: string
  /** `other-form`: a folder's name differs only in Unicode form or case. */
  state: 'there' | 'missing' | 'other-form' | 'outside'
  folder: string | null
}

const NAME_MOST = 300

export async function findLevel(files: ServerFiles, settings: Properties | null): Promise<Level> {
  const name = settings?.values.get('level-name') ?? 'world'
  const [folder = name] = worldNames(name)
  if (!isWorldFolder(name)) return { name, state: 'outside', folder: null }
  if (await isWorld(files, folder)) return { name, state: 'there', folder }
  using root = files.open('')
  const names = await readdir(root.itself)
  for (const form of [composed, inOneCase]) {
    const alike = names.filter((other) => form(other) === form(folder))
    const worlds: string[] = []
    for (const other of alike) if (await isWorld(files, other)) worlds.push(other)
    // With several, the intended one is unknown.
    if (worlds.length === 1) return { name, state: 'other-form', folder: worlds[0]! }
  }
  return { name, state: 'missing', folder: null }
}

export function toldLevel(
  { name, state, folder }: Level,
  worlds: readonly { name: string }[],
): NonNullable<z.input<typeof FoundServer>['level']> {
  const instead = state === 'outside' ? (worlds[0]?.name ?? 'world') : folder
  return { name: name.slice(0, NAME_MOST), state, folder: instead }
}

const composed = (name: string): string => name.normalize('NFC')
const inOneCase = (name: string): string => composed(name).toLowerCase()

/** Whether the game would load it instead of creating a world. */
async function isWorld(files: ServerFiles, folder: string): Promise<boolean> {
  for (const name of ['level.dat', 'level.dat_old']) {
    try {
      const { handle } = await files.openRead(`${folder}/${name}`)
      await handle.close()
      return true
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return false
}

const TEXT_BYTES = 64 * 1024

/** Empty if missing or unreadable. */
export async function headOf(files: ServerFiles, path: string, most = TEXT_BYTES): Promise<string> {
  try {
    const { handle } = await files.openRead(path)
    await using _closed = handle
    const bytes = Buffer.alloc(most)
    let at = 0
    while (at < most) {
      const { bytesRead } = await handle.read(bytes, at, most - at, at)
      if (bytesRead === 0) break
      at += bytesRead
    }
    return bytes.toString('utf8', 0, at)
  } catch (error) {
    if (error instanceof Refusal) return ''
    throw error
  }
}
