import { opendir } from 'node:fs/promises'
import { Yielder } from '../../../host/yield.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { Refusal } from '../../../host/refusal.ts'
import { isPlayerName } from '../../../contract/rules/players/player-names.ts'
import { asUuid } from '../../../contract/rules/game/player-uuid.ts'

const NAMES_MOST = 40_000
const FILES_MOST = 10_000
const NAMES_AT_ONCE = 256
/** Stat calls in a row: 200 block the event loop for at most a millisecond. */
const IN_ONE_GO = 200

export interface PlayerFile {
  path: string
  /** Null before 1.7.6, when files were named after the player. */
  uuid: string | null
  name: string | null
  modifiedAt: number
  madeAt: number | null
  /**
   * Identify the content together with the times. Numbers, because keeping thousands of Stats objects burdens the
   * garbage collector.
   */
  inode: number
  size: number
  changedAt: number
}

/** Building it for thousands is the slowest part. */
export const markOf = ({ inode, size, modifiedAt, changedAt }: PlayerFile): string =>
  `${inode}.${size}.${modifiedAt}.${changedAt}`

/** The location since 26.1 comes before the earlier one. */
export const statFolders = (level: string) => [`${level}/players/stats`, `${level}/stats`]
export const dataFolders = (level: string) => [`${level}/players/data`, `${level}/playerdata`]

/** From the first folder that has any; locations are not mixed. */
export async function playerFilesIn(
  files: ServerFiles,
  folders: readonly string[],
  ending: '.json' | '.dat',
): Promise<PlayerFile[]> {
  for (const folder of folders) {
    const found = await playerFiles(files, folder, ending)
    if (found.length > 0) return found
  }
  return []
}

async function playerFiles(files: ServerFiles, path: string, ending: string): Promise<PlayerFile[]> {
  try {
    using folder = files.open(path)
    const yielder = new Yielder()
    const players = await namesIn(folder.itself, ending, yielder)
    const found: PlayerFile[] = []
    for (let at = 0; at < players.length; at += IN_ONE_GO) {
      if (at > 0) await yielder.next()
      const some = players.slice(at, at + IN_ONE_GO)
      const stats = folder.stats(some.map(({ file }) => file))
      for (const [index, { file, uuid, name }] of some.entries()) {
        const stat = stats[index]
        if (!stat?.isFile()) continue
        const { mtimeMs, birthtimeMs, ino, size, ctimeMs } = stat
        found.push({
          path: `${path}/${file}`,
          ...{ uuid, name },
          modifiedAt: mtimeMs,
          // A copied file is newer than its last change.
          madeAt: birthtimeMs > 0 && birthtimeMs < mtimeMs ? birthtimeMs : null,
          ...{ inode: ino, size, changedAt: ctimeMs },
        })
      }
    }
    return found
  } catch (error) {
    if (error instanceof Refusal || (error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

interface NamedFile extends Pick<PlayerFile, 'uuid' | 'name'> {
  file: string
}

/** Bounded: a folder may contain millions of files. */
async function namesIn(folder: string, ending: string, yielder: Yielder): Promise<NamedFile[]> {
  const names: NamedFile[] = []
  await using dir = await opendir(folder, { bufferSize: NAMES_AT_ONCE })
  for (let looked = 0; looked < NAMES_MOST && names.length < FILES_MOST; looked++) {
    if (looked % NAMES_AT_ONCE === 0) await yielder.next()
    // Sync: a promise per name would double the time.
    const file = dir.readSync()?.name
    if (file === undefined) break
    if (!file.endsWith(ending)) continue
    const stem = file.slice(0, -ending.length)
    const uuid = asUuid(stem)
    const name = uuid === null && isPlayerName(stem) ? stem : null
    if (uuid !== null || name !== null) names.push({ file, uuid, name })
  }
  return names
}
